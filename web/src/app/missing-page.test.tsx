import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { rememberLogin } from "../areas/accounts/index.ts";
import { answerCalls, refused } from "../testing/answer-calls.ts";
import { renderPage } from "../testing/render-page.tsx";
import { someSession } from "../testing/some-session.ts";
import { MissingPage } from "./missing-page.tsx";

beforeEach(() => localStorage.clear());

const SUPPORT = { "GET /support.json": () => ({ chat: null }) };
const open = (at = "/nowhere") => renderPage(MissingPage, at);

test("a signed-in user sees a 404 inside the shell with its links", async () => {
  rememberLogin(Date.now());
  answerCalls({ ...SUPPORT, "GET /session.json": () => someSession() });
  await open();
  expect(await screen.findByText("Page not found")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Go back" })).toBeTruthy();
  expect(screen.getAllByRole("link", { name: "Logout" }).length).toBeGreaterThan(0);
});

test("an impersonating admin keeps Return to admin on a 404", async () => {
  rememberLogin(Date.now());
  answerCalls({ ...SUPPORT, "GET /session.json": () => someSession({ is_switched: true }) });
  await open();
  await screen.findByText("Page not found");
  expect(screen.getAllByRole("button", { name: "Return to admin" }).length).toBeGreaterThan(0);
});

test.each([
  ["who never signed in here", false],
  ["whose session is over", true],
])("a visitor %s sees the 404 page with a link back", async (_, wasIn) => {
  if (wasIn) rememberLogin(Date.now());
  const sent = answerCalls({ "GET /session.json": () => refused(401, "Please log in") });
  await open();
  expect(await screen.findByRole("heading", { name: "404: page not found" })).toBeTruthy();
  expect(screen.queryByRole("navigation")).toBeNull();
  expect(sent("GET /session.json").length).toBe(wasIn ? 1 : 0);
});
