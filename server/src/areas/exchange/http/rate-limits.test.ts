import { expect, test } from "vitest";
import { MAX_RATE_KEYS, RateLimit } from "./rate-limits.ts";

test("a bucket empties, reports the time to wait, and fills again", () => {
  const limit = new RateLimit({ burst: 2, perSecond: 1 });
  limit.take("203.0.113.1", 1, 0);
  limit.take("203.0.113.1", 1, 0);
  expect(() => limit.take("203.0.113.1", 1, 0)).toThrow(
    expect.objectContaining({ code: "too_many", retryAfterSeconds: 1 }),
  );
  limit.take("203.0.113.2", 1, 0);
  limit.take("203.0.113.1", 1, 1000);
});

test("a call takes its cost, or the whole bucket if it costs more than the burst", () => {
  const limit = new RateLimit({ burst: 30, perSecond: 10 });
  limit.take("203.0.113.1", 20, 0);
  expect(() => limit.take("203.0.113.1", 20, 0)).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }));
  limit.take("203.0.113.1", 10, 0);
  expect(() => limit.take("203.0.113.1", 100, 2000)).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }));
  limit.take("203.0.113.1", 100, 3000);
});

test("a whole IPv6 network has one bucket", () => {
  const limit = new RateLimit({ burst: 1, perSecond: 1 });
  limit.take("2001:db8:1:2::1", 1, 0);
  expect(() => limit.take("2001:db8:1:2:ffff::2", 1, 0)).toThrow("slow down");
  limit.take("2001:db8:1:3::1", 1, 0);
});

test("made-up addresses do not fill the memory or refill the bucket of a busy address", () => {
  const limit = new RateLimit({ burst: 1, perSecond: 0.001 });
  limit.take("203.0.113.1", 1, 0);
  for (let nth = 0; nth < 1.5 * MAX_RATE_KEYS; nth++) {
    limit.take(nth, 1, 0);
    if (nth % 1000 === 0) expect(() => limit.take("203.0.113.1", 1, 0)).toThrow("slow down");
  }
  expect(() => limit.take("203.0.113.1", 1, 0)).toThrow("slow down");
});
