import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { answerCalls, refused } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { DebugToken } from "./debug-token.tsx";

const UUID = "00000000-0000-4000-8000-000000000001";
const CALL = `POST /apps/${UUID}/debug_token`;
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

test("a debug token is made on demand and shown to be copied, with its end", async () => {
  let nth = 0;
  answerCalls({ [CALL]: () => ({ token: `token.${++nth}.x`, expires_at: "2026-11-24T11:00:00.000Z" }) });
  await renderPage(() => <DebugToken uuid={UUID} />, "/");
  expect(await screen.findByText(/Whoever has the token sees this for 60 minutes/)).toBeTruthy();
  expect(screen.queryByText("token.1.x")).toBeNull();
  await press("Make a debug token");
  expect(await screen.findByText("token.1.x")).toBeTruthy();
  expect(screen.getByText("Valid until Nov 24th, 2026, 11:00 UTC")).toBeTruthy();
  await press("Make another token");
  expect(await screen.findByText("token.2.x")).toBeTruthy();
});

test("a refusal is shown", async () => {
  answerCalls({ [CALL]: () => refused(422, "Sample apps serve no ads, so no SDK can debug them") });
  await renderPage(() => <DebugToken uuid={UUID} />, "/");
  await press("Make a debug token");
  expect(await screen.findByText("Sample apps serve no ads, so no SDK can debug them")).toBeTruthy();
});
