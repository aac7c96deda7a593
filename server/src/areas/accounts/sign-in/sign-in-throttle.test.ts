import { expect, test } from "vitest";
import { signInThrottle } from "./sign-in-throttle.ts";

const stranger = (address: string) => ({ address, known: null });
const device = (known: string) => ({ address: "203.0.113.1", known });

test("guesses are slowed down with a time to retry, and other addresses are not", async () => {
  const throttle = signInThrottle();
  for (let tries = 0; tries < 10; tries++) await throttle.take("pub@example.com", stranger("198.51.100.1"));
  const refusal: unknown = await throttle
    .take("pub@example.com", stranger("198.51.100.1"))
    .catch((problem: unknown) => problem);
  expect(refusal).toMatchObject({ code: "too_many", status: 429 });
  const { retryAfterSeconds } = refusal as { retryAfterSeconds: number };
  expect([retryAfterSeconds > 0, retryAfterSeconds <= 900]).toEqual([true, true]);
  await throttle.take("pub@example.com", stranger("198.51.100.2"));
});

test("an account guessed at from many addresses is closed to strangers but not to its owner's device", async () => {
  const throttle = signInThrottle();
  for (let tries = 0; tries < 100; tries++) await throttle.take("pub@example.com", stranger(`198.51.100.${tries}`));
  await expect(throttle.take("pub@example.com", stranger("203.0.113.1"))).rejects.toMatchObject({ code: "too_many" });
  await throttle.take("pub@example.com", device("own"));
  await throttle.take("adv@example.com", stranger("203.0.113.1"));
});

test("a familiar device has its own ten guesses", async () => {
  const throttle = signInThrottle();
  for (let tries = 0; tries < 10; tries++) await throttle.take("pub@example.com", device("lost"));
  await expect(throttle.take("Pub@example.com", device("lost"))).rejects.toMatchObject({ code: "too_many" });
  await throttle.take("pub@example.com", device("own"));
});

test("addresses of one IPv6 network share a count", async () => {
  const throttle = signInThrottle();
  for (let tries = 0; tries < 10; tries++) await throttle.take("pub@example.com", stranger(`2001:db8:1:2::${tries}`));
  await expect(throttle.take("pub@example.com", stranger("2001:db8:1:2:3::1"))).rejects.toMatchObject({
    code: "too_many",
  });
});

test("right passwords from familiar devices count too: a hundred of a user, three hundred of an address", async () => {
  const throttle = signInThrottle();
  const signIn = async (email: string, from: ReturnType<typeof device>) => {
    await throttle.take(email, from);
    await throttle.forgive(email, from);
  };
  const office = ["ada@example.com", "ben@example.com", "cem@example.com"];
  for (const email of office) {
    for (let times = 0; times < 100; times++) await signIn(email, device(`${times % 2} of ${email}`));
    await expect(signIn(email, { address: "203.0.113.2", known: "another" })).rejects.toMatchObject({
      code: "too_many",
    });
  }
  await expect(signIn("dee@example.com", device("own"))).rejects.toMatchObject({ code: "too_many" });
  await signIn("dee@example.com", { address: "203.0.113.2", known: "own" });
  await throttle.take("ada@example.com", stranger("203.0.113.1"));
});
