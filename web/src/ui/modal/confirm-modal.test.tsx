import { TEXTS } from "@millrace/contract";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { renderPart } from "../../testing/render-page.tsx";
import { ConfirmModal } from "./confirm-modal.tsx";

function Example({ onConfirm }: { onConfirm: () => Promise<unknown> }) {
  const [opened, setOpened] = useState(true);
  return (
    <>
      <button onClick={() => setOpened(true)}>Ask</button>
      <ConfirmModal
        opened={opened}
        onClose={() => setOpened(false)}
        title="Delete it?"
        confirm="Delete"
        onConfirm={onConfirm}
      >
        It is gone then.
      </ConfirmModal>
    </>
  );
}

test("a failure is shown in the dialog, which stays open", async () => {
  renderPart(<Example onConfirm={() => Promise.reject(new Error("The store is away"))} />);
  await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
  expect(await screen.findByText(TEXTS.requestFailed)).toBeTruthy();
  expect(screen.getByRole("dialog", { name: "Delete it?" })).toBeTruthy();
});

test("a failure after the dialog was closed is still shown, and not in the next dialog", async () => {
  let fail: (failure: Error) => void = () => {};
  renderPart(<Example onConfirm={() => new Promise((_, reject) => (fail = reject))} />);
  await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  fail(new Error("The store is away"));
  await waitFor(() => expect(screen.getByRole("status").textContent).toContain(TEXTS.requestFailed));
  await userEvent.click(screen.getByRole("button", { name: "Ask" }));
  await screen.findByRole("dialog", { name: "Delete it?" });
  expect(screen.getByRole("alert").textContent).toBe("");
});
