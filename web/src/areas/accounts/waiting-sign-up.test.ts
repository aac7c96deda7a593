import { beforeEach, expect, test } from "vitest";
import { forgetSignUp, rememberSignUp, waitingSignUp } from "./waiting-sign-up.ts";

const DAY_MS = 86_400_000;
beforeEach(() => localStorage.clear());

test("a sign-up is remembered while its link is valid, or until a user signs in", () => {
  expect(waitingSignUp(0)).toBeNull();
  rememberSignUp("ada@example.com", 0);
  expect(waitingSignUp(DAY_MS - 1)).toBe("ada@example.com");
  expect(waitingSignUp(DAY_MS)).toBeNull();
  forgetSignUp();
  expect(waitingSignUp(1)).toBeNull();
});

test.each(["", "{", "7", '{"email":7,"until":9}', '{"until":9}'])("%j that stands in its place is nothing", (kept) => {
  localStorage.setItem("millrace-signed-up", kept);
  expect(waitingSignUp(1)).toBeNull();
});
