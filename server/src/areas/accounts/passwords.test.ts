import { expect, test } from "vitest";
import { fitsPassword, hashPassword } from "./passwords.ts";

test("a password matches only its own hash", async () => {
  const hash = await hashPassword("correct-horse");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await fitsPassword(hash, "correct-horse")).toBe(true);
  expect(await fitsPassword(hash, "wrong-horse")).toBe(false);
  expect(await fitsPassword(undefined, "correct-horse")).toBe(false);
});

test("in a flood some passwords are checked, one after the other, and the rest are told to retry", async () => {
  const hash = await hashPassword("correct-horse");
  const outcomes = await Promise.allSettled(Array.from({ length: 300 }, () => fitsPassword(hash, "correct-horse")));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(61);
  const refused = outcomes.find((outcome) => outcome.status === "rejected");
  expect(refused?.reason).toMatchObject({ code: "unavailable", retryAfterSeconds: 2 });
  expect(await fitsPassword(hash, "correct-horse")).toBe(true);
});

test("strangers cannot take the places of users with a proof, who go first", async () => {
  const hash = await hashPassword("correct-horse");
  const flood = Promise.allSettled(
    Array.from({ length: 300 }, () => fitsPassword(hash, "wrong-horse", "stranger").then(() => performance.now())),
  );
  expect(await fitsPassword(hash, "correct-horse", "known")).toBe(true);
  const knownAt = performance.now();
  const judged = (await flood).flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(judged).toHaveLength(61);
  expect(judged.filter((at) => at > knownAt).length).toBeGreaterThan(50);
});

test("callers with a proof, however many, leave a stranger every fourth turn", async () => {
  const hash = await hashPassword("correct-horse");
  const order: string[] = [];
  const check = (lane: "known" | "stranger") =>
    fitsPassword(hash, "correct-horse", lane).then(() => void order.push(lane));
  const known = Array.from({ length: 30 }, () => check("known"));
  await Promise.all([...known, check("stranger"), check("stranger")]);
  expect(order.indexOf("stranger")).toBeLessThanOrEqual(4);
  expect(order.lastIndexOf("stranger")).toBeLessThanOrEqual(8);
});
