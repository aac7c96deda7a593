import { expect, test } from "vitest";
import { fitsPassword, hashPassword } from "./passwords.ts";

test("a password fits its hash and no other", async () => {
  const hash = await hashPassword("correct-horse");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await fitsPassword(hash, "correct-horse")).toBe(true);
  expect(await fitsPassword(hash, "wrong-horse")).toBe(false);
  expect(await fitsPassword(undefined, "correct-horse")).toBe(false);
});

test("of a flood some are judged, one after the other, and the rest are told to come back", async () => {
  const hash = await hashPassword("correct-horse");
  const outcomes = await Promise.allSettled(Array.from({ length: 300 }, () => fitsPassword(hash, "correct-horse")));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(61);
  const refused = outcomes.find((outcome) => outcome.status === "rejected");
  expect(refused?.reason).toMatchObject({ code: "unavailable", retryAfterSeconds: 2 });
  expect(await fitsPassword(hash, "correct-horse")).toBe(true);
});
