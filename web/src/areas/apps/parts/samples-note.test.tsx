import type { Role } from "@millrace/contract";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { someSession } from "../../../testing/some-session.ts";
import { openPage } from "../testing/open-page.tsx";
import { SamplesNote } from "./samples-note.tsx";

const REMOVE = "POST /apps/remove_samples";
const open = (role: Role = "owner") =>
  openPage(() => <SamplesNote />, { path: "/apps", session: someSession({ role }) });

test("one click removes the sample apps; a refusal says why and can be tried again", async () => {
  let answer: () => unknown = () => refused(503, "The store is away");
  const sent = answerCalls({ [REMOVE]: () => answer() });
  const { router } = await open();
  expect(screen.getByRole("note").textContent).toMatch(/made up, and no part of your balance/);
  const remove = screen.getByRole("button", { name: "Remove the sample apps" });
  await userEvent.click(remove);
  expect(await screen.findByText("The store is away")).toBeTruthy();
  answer = () => ({ redirect_to: "/apps" });
  await userEvent.click(remove);
  await waitFor(() => expect(screen.queryByText("The store is away")).toBeNull());
  expect(sent(REMOVE)).toHaveLength(2);
  expect(router.state.location.pathname).toBe("/apps");
});

test.each<Role>(["GST", "SDEV"])("%s reads that figures are made up, and cannot remove them", async (role) => {
  await open(role);
  expect(screen.getByRole("note")).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
});
