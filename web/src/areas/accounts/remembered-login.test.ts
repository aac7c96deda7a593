import { expect, test } from "vitest";
import { forgetLogin, mayBeLoggedIn, rememberLogin } from "./remembered-login.ts";

const DAY_MS = 86_400_000;

test("a remembered login lasts for 30 days or until it is forgotten", () => {
  localStorage.clear();
  expect(mayBeLoggedIn(0)).toBe(false);
  rememberLogin(1000);
  expect(mayBeLoggedIn(999 + 30 * DAY_MS)).toBe(true);
  expect(mayBeLoggedIn(1000 + 30 * DAY_MS)).toBe(false);
  forgetLogin();
  expect(mayBeLoggedIn(1001)).toBe(false);
});
