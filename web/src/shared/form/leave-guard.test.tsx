import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { z } from "zod";
import { renderPage } from "../../testing/render-page.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { Modal } from "../../ui/modal/modal.tsx";
import { ApiError } from "../call-api.ts";
import { useContractForm } from "./use-contract-form.ts";

interface NoteProps {
  lasting?: boolean;
  send?: () => Promise<void>;
  onDone?: () => void;
  onCancel?: () => void;
}

const saved = () => Promise.resolve();

function Note({ lasting = false, send = saved, onDone, onCancel }: NoteProps) {
  const form = useContractForm({
    schema: z.object({ note: z.string() }),
    initial: { note: "" },
    lasting,
    send,
    onDone,
  });
  return (
    <Form {...form.props}>
      <TextField {...form.field("note")} label="Note" data-autofocus />
      <Submit {...form.submit} {...(onCancel && { onCancel })}>
        Save
      </Submit>
    </Form>
  );
}

function NoteDialog({ send }: Pick<NoteProps, "send">) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <button onClick={() => setOpened(true)}>Write</button>
      <Modal opened={opened} onClose={close} title="A note" overlayCloses>
        <Note {...(send && { send })} onDone={close} onCancel={close} />
      </Modal>
    </>
  );
}

const LEAVING = { name: "Leave without saving?" };
const note = () => screen.findByLabelText<HTMLInputElement>("Note");
const answer = async (text: string) => {
  await userEvent.click(within(await screen.findByRole("dialog", LEAVING)).getByRole("button", { name: text }));
  await waitFor(() => expect(screen.queryByRole("dialog", LEAVING)).toBeNull());
};

async function openDialog(typed: string) {
  const page = await renderPage(() => <NoteDialog />, "/notes");
  await userEvent.click(await screen.findByRole("button", { name: "Write" }));
  const field = await note();
  await waitFor(() => expect(document.activeElement).toBe(field));
  if (typed !== "") await userEvent.type(field, typed);
  return page;
}

test.each([
  ["Escape", () => userEvent.keyboard("{Escape}")],
  ["the close button", () => userEvent.click(screen.getByRole("button", { name: "Close" }))],
  ["Cancel", () => userEvent.click(screen.getByRole("button", { name: "Cancel" }))],
  ["a click outside", () => userEvent.click(document.querySelector(".mantine-Modal-overlay")!)],
])("a dialog with unsaved changes asks before %s closes it, each time", async (_, close) => {
  await openDialog("Cedar");
  await close();
  await answer("Stay here");
  expect((await note()).value).toBe("Cedar");
  await close();
  await screen.findByRole("dialog", LEAVING);
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog", LEAVING)).toBeNull());
  await waitFor(() => expect(document.activeElement?.closest("[role=dialog]")).toBe(screen.getByRole("dialog")));
  await close();
  await answer("Leave");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Write" })));
});

test("a dialog without changes, or whose form was sent, closes without a question", async () => {
  await openDialog("");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Write" }));
  await userEvent.type(await note(), "Cedar");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

/** A save that is answered later. */
function slowSave() {
  let settle: { done: () => void; failed: (error: Error) => void } | undefined;
  const send = () => new Promise<void>((done, failed) => (settle = { done, failed }));
  return { send, answered: () => settle?.done(), failed: (error: Error) => settle?.failed(error) };
}

test("a save that is answered after its dialog was left closes no other dialog, and says that it was saved", async () => {
  const slow = slowSave();
  await renderPage(() => <NoteDialog send={slow.send} />, "/notes");
  await userEvent.click(await screen.findByRole("button", { name: "Write" }));
  await userEvent.type(await note(), "Cedar");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await userEvent.keyboard("{Escape}");
  await answer("Leave");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Write" }));
  await userEvent.type(await note(), "Birch");
  slow.answered();
  expect(await screen.findByText("What you left had been sent already, and is saved")).toBeTruthy();
  expect((await note()).value).toBe("Birch");
});

test("a save that is answered after its page was left leads nowhere else, and its failure is told", async () => {
  const slow = slowSave();
  let leads = 0;
  const { router } = await renderPage(() => <Note send={slow.send} onDone={() => (leads += 1)} />, "/notes");
  const leave = async () => {
    await userEvent.type(await note(), "Cedar");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    void router.navigate({ to: "/support" });
    await answer("Leave");
    await screen.findByText("elsewhere");
  };
  await leave();
  slow.answered();
  await screen.findByText("What you left had been sent already, and is saved");
  router.history.back();
  await leave();
  slow.failed(new ApiError(409, "Somebody was faster"));
  await screen.findByText("Somebody was faster");
  expect(leads).toBe(0);
});

test("at the end of the session a dialog keeps its text, and the login opens beside it", async () => {
  const { router } = await openDialog("Cedar");
  void router.navigate({ to: "/login" });
  const asked = within(await screen.findByRole("dialog", { name: "Your session has ended" }));
  expect(asked.getAllByRole("button", { name: /^(?!Close)/ }).map(({ textContent }) => textContent)).toEqual([
    "Stay here",
    "Leave and log in",
  ]);
  const login = asked.getByRole("link", { name: "Open the login in a new tab" });
  expect([login.getAttribute("href"), login.getAttribute("target")]).toEqual(["/login", "_blank"]);
  await userEvent.click(asked.getByRole("button", { name: "Stay here" }));
  await waitFor(() => expect(screen.getAllByRole("dialog")).toHaveLength(1));
  expect((await note()).value).toBe("Cedar");
  void router.navigate({ to: "/login" });
  await userEvent.click(await screen.findByRole("button", { name: "Leave and log in" }));
  await screen.findByText("elsewhere");
});

test("a page asks before a link leaves an unsaved form, and what follows a save is not asked about", async () => {
  let leave = () => {};
  const { router } = await renderPage(() => <Note onDone={() => leave()} />, "/notes");
  await userEvent.type(await note(), "Cedar");
  void router.navigate({ to: "/support" });
  await answer("Stay here");
  expect((await note()).value).toBe("Cedar");
  leave = () => void router.navigate({ to: "/support" });
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("elsewhere");
});

test("a form that is on every page is asked about only when their frame is left", async () => {
  const { router } = await renderPage(() => <Note lasting />, "/payment/$", "/payment/history");
  await userEvent.type(await note(), "Cedar");
  await router.navigate({ to: "/payment/deductions" });
  expect((await note()).value).toBe("Cedar");
  void router.navigate({ to: "/login" });
  await screen.findByRole("dialog", { name: "Your session has ended" });
});
