import { signUp } from "@millrace/contract";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { renderPart } from "../../testing/render-page.tsx";
import { CheckboxField } from "../../ui/form/checkbox-field.tsx";
import { ChoicesField } from "../../ui/form/choices-field.tsx";
import { ChoiceField } from "../../ui/form/choice-field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { ApiError } from "../call-api.ts";
import { useContractForm } from "./use-contract-form.ts";

const ROLES = [
  { value: "NEW", label: "Developer" },
  { value: "ADV", label: "Advertiser" },
];
const send = vi.fn<(body: unknown) => Promise<{ sent_to: string }>>();
const done = vi.fn<(reply: { sent_to: string }) => void>();

function Example() {
  const form = useContractForm({
    schema: signUp.body,
    initial: { email: "", name: "", password: "", passConfirm: "", role: "NEW", agree: false },
    send,
    onDone: done,
  });
  return (
    <Form {...form.props}>
      <ChoiceField {...form.field("role")} label="I am" options={ROLES} />
      <TextField {...form.field("email")} label="Email" />
      <TextField {...form.field("name")} label="Name" />
      <PasswordField {...form.field("password")} label="Password" autoComplete="new-password" />
      <PasswordField {...form.field("passConfirm")} label="Again" autoComplete="new-password" />
      <CheckboxField {...form.field("agree")} label="I agree" />
      <Submit {...form.submit}>Send</Submit>
    </Form>
  );
}

const press = () => userEvent.click(screen.getByRole("button", { name: "Send" }));
const alert = () => screen.getByRole("alert").textContent;
async function fillIn() {
  await userEvent.type(screen.getByLabelText("Email"), "a@b.test");
  await userEvent.type(screen.getByLabelText("Name"), "Ada");
  await userEvent.type(screen.getByLabelText("Password"), "secret1");
  await userEvent.type(screen.getByLabelText("Again"), "secret1");
  await userEvent.click(screen.getByLabelText("Advertiser"));
  await userEvent.click(screen.getByLabelText("I agree"));
}

test("all invalid fields show errors, the first gets the focus, and nothing is sent", async () => {
  send.mockReset();
  renderPart(<Example />);
  await userEvent.type(screen.getByLabelText("Again"), "x");
  await press();
  expect(alert()).toBe("Please check highlighted fields before submitting");
  expect(document.activeElement).toBe(screen.getByLabelText("Email"));
  expect(screen.getByText("Passwords must match")).toBeTruthy();
  expect(screen.getByText("Please accept the terms")).toBeTruthy();
  expect(screen.getByLabelText("I agree").getAttribute("aria-invalid")).toBe("true");
  expect(send).not.toHaveBeenCalled();
});

test("changing a field clears its error and keeps the others", async () => {
  renderPart(<Example />);
  await press();
  await userEvent.type(screen.getByLabelText("Email"), "a");
  expect(screen.getByLabelText("Email").getAttribute("aria-invalid")).not.toBe("true");
  expect(screen.getByLabelText("Name").getAttribute("aria-invalid")).toBe("true");
});

test("an error that another field cures disappears, with the request to check the highlighted fields", async () => {
  renderPart(<Example />);
  await fillIn();
  await userEvent.type(screen.getByLabelText("Password"), "2");
  await press();
  expect(screen.getByText("Passwords must match")).toBeTruthy();
  expect(alert()).toBe("Please check highlighted fields before submitting");
  await userEvent.type(screen.getByLabelText("Password"), "{Backspace}");
  expect(screen.queryByText("Passwords must match")).toBeNull();
  expect(screen.getByLabelText("Again").getAttribute("aria-invalid")).not.toBe("true");
  expect(alert()).toBe("");
});

test("the form is sent once, and the button shows the progress", async () => {
  let answer: (reply: { sent_to: string }) => void = () => {};
  send.mockReset().mockImplementation(() => new Promise((resolve) => (answer = resolve)));
  done.mockReset();
  renderPart(<Example />);
  await fillIn();
  await press();
  await userEvent.type(screen.getByLabelText("Name"), "{Enter}");
  expect(send).toHaveBeenCalledTimes(1);
  expect(send).toHaveBeenCalledWith({
    email: "a@b.test",
    name: "Ada",
    password: "secret1",
    passConfirm: "secret1",
    role: "ADV",
    agree: true,
  });
  expect(screen.getByRole("button", { name: "Send" }).getAttribute("data-loading")).toBe("true");
  answer({ sent_to: "a@b.test" });
  await waitFor(() => expect(done.mock.calls[0]?.[0]).toEqual({ sent_to: "a@b.test" }));
});

test("the server's error is shown under its field, and no input is lost", async () => {
  send.mockReset().mockRejectedValue(new ApiError(422, { name: "Use latin letters or '-._" }));
  renderPart(<Example />);
  await fillIn();
  await press();
  expect(await screen.findByText("Use latin letters or '-._")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Name"));
  expect(screen.getByLabelText<HTMLInputElement>("Password").value).toBe("secret1");
});

test("errors of the form, and of fields that are not shown, are shown under the button", async () => {
  send.mockReset().mockRejectedValueOnce(new ApiError(429, "Too many tries"));
  send.mockRejectedValueOnce(new ApiError(400, { reqid: "Unknown request" }));
  renderPart(<Example />);
  await fillIn();
  await press();
  await waitFor(() => expect(alert()).toBe("Too many tries"));
  await press();
  await waitFor(() => expect(alert()).toBe("Unknown request"));
});

test("a form that is reset and filled in again no longer shows its old errors", async () => {
  function Restarted() {
    const form = useContractForm({ schema: signUp.body, initial: { email: "", name: "" }, send, onDone: done });
    const restart = () => {
      form.reset();
      form.set({ email: "a@b.test" });
    };
    return (
      <Form {...form.props}>
        <TextField {...form.field("email")} label="Email" />
        <TextField {...form.field("name")} label="Name" />
        <Submit
          {...form.submit}
          beside={
            <button type="button" onClick={restart}>
              Restart
            </button>
          }
        >
          Send
        </Submit>
      </Form>
    );
  }
  renderPart(<Restarted />);
  await press();
  expect(screen.getByLabelText("Name").getAttribute("aria-invalid")).toBe("true");
  await userEvent.click(screen.getByText("Restart"));
  expect(screen.getByLabelText("Name").getAttribute("aria-invalid")).not.toBe("true");
  expect(alert()).toBe("");
});

function Nested() {
  const form = useContractForm({
    schema: z.object({
      bid: z.object({ value: z.string().min(1, "Add a value") }),
      days: z.array(z.number()).min(1, "Choose a day"),
    }),
    initial: { bid: { value: "" }, days: [] },
    nested: true,
    send,
  });
  return (
    <Form {...form.props}>
      <TextField
        name="bid.value"
        label="Bid"
        value={form.values.bid?.value}
        error={form.errors["bid.value"]}
        onChange={(value) => form.set({ bid: { value } })}
      />
      <ChoicesField
        name="days"
        label="Days"
        options={[{ value: 1, label: "Mon", full: "Monday" }]}
        chosen={form.values.days ?? []}
        error={form.errors["days"]}
        onChange={(days) => form.set({ days })}
      />
      <Submit {...form.submit}>Send</Submit>
    </Form>
  );
}

test("errors of nested values keep their path, from the rules and from the server, and go with a change", async () => {
  send.mockReset();
  send.mockRejectedValueOnce(new ApiError(400, { "bid.value": "Too low", "bid.daily": "Not shown here" }));
  renderPart(<Nested />);
  await press();
  expect(screen.getByText("Add a value")).toBeTruthy();
  expect(screen.getByText("Choose a day")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Bid"), "1");
  expect(screen.queryByText("Add a value")).toBeNull();
  await press();
  expect(document.activeElement).toBe(screen.getByLabelText("Monday"));
  await userEvent.click(screen.getByLabelText("Monday"));
  await press();
  expect(await screen.findByText("Too low")).toBeTruthy();
  expect(alert()).toBe("Not shown here");
  await userEvent.type(screen.getByLabelText("Bid"), "2");
  expect(screen.queryByText("Too low")).toBeNull();
});

test("what was entered is unsaved until it is saved or taken back, and what follows a save is not", async () => {
  let answer: () => void = () => undefined;
  renderPart(<Note send={() => new Promise<void>((resolve) => (answer = resolve))} />);
  const state = () => screen.getByTestId("state").textContent;
  const text = screen.getByLabelText("Text");
  expect(state()).toBe("saved");
  await userEvent.type(text, "a");
  expect(state()).toBe("unsaved");
  await userEvent.clear(text);
  expect(state()).toBe("saved");
  await userEvent.type(text, "b");
  await press();
  expect(state()).toBe("unsaved");
  answer();
  await waitFor(() => expect(state()).toBe("saved"));
  expect(text).toHaveProperty("value", "");
});

function Note({ send: save }: { send: () => Promise<void> }) {
  const form = useContractForm({
    schema: z.object({ text: z.string() }),
    initial: { text: "" },
    send: save,
    onDone: (): void => form.set({ text: "" }),
  });
  return (
    <Form {...form.props}>
      <TextField {...form.field("text")} label="Text" />
      <p data-testid="state">{form.dirty ? "unsaved" : "saved"}</p>
      <Submit {...form.submit}>Send</Submit>
    </Form>
  );
}
