import type { AppRow } from "@millrace/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { UUID, openPage, someApp } from "../testing/open-page.tsx";
import { DeleteApp } from "./delete-app.tsx";

const CALL = `GET /apps/${UUID}/delete_app`;

async function open(answer: () => unknown) {
  const sent = answerCalls({ [CALL]: answer });
  const onClose = vi.fn<() => void>();
  await openPage(() => <DeleteApp app={someApp() as AppRow} onClose={onClose} />, { path: "/apps" });
  return { sent, onClose, dialog: within(await screen.findByRole("dialog", { name: "Delete Tide Puzzle?" })) };
}

test("the dialog says what a deletion removes and keeps, and Cancel keeps the app", async () => {
  const { sent, onClose, dialog } = await open(() => refused(500, "never asked"));
  expect(dialog.getByText(/Its earnings are kept\. This cannot be undone\./)).toBeTruthy();
  await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(sent(CALL)).toHaveLength(0);
});

test("a failed deletion is explained in the dialog, which stays open", async () => {
  let fails = true;
  const { sent, onClose, dialog } = await open(() =>
    fails ? refused(503, "The store is away") : { redirect_to: "/apps" },
  );
  await userEvent.click(dialog.getByRole("button", { name: "Delete app" }));
  await waitFor(() => expect(dialog.getByRole("alert").textContent).toBe("The store is away"));
  expect(onClose).not.toHaveBeenCalled();
  fails = false;
  await userEvent.click(dialog.getByRole("button", { name: "Delete app" }));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(sent(CALL)).toHaveLength(2);
});
