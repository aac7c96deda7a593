import { expect, test } from "vitest";
import { RateLimit } from "./rate-limits.ts";

test("a bucket empties, says when to come back, and fills again", () => {
  const limit = new RateLimit({ burst: 2, perSecond: 1 });
  limit.take("203.0.113.1", 0);
  limit.take("203.0.113.1", 0);
  expect(() => limit.take("203.0.113.1", 0)).toThrow(
    expect.objectContaining({ code: "too_many", retryAfterSeconds: 1 }),
  );
  limit.take("203.0.113.2", 0);
  limit.take("203.0.113.1", 1000);
});

test("whoever has a whole IPv6 network has one bucket", () => {
  const limit = new RateLimit({ burst: 1, perSecond: 1 });
  limit.take("2001:db8:1:2::1", 0);
  expect(() => limit.take("2001:db8:1:2:ffff::2", 0)).toThrow("slow down");
  limit.take("2001:db8:1:3::1", 0);
});
