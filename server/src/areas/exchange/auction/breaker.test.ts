import * as fc from "fast-check";
import { expect, test } from "vitest";
import { BREAKER, type Breaker, closedBreaker, nextBreaker, viewOfBreaker } from "./breaker.ts";
import { Breakers } from "./breakers.ts";
import { PartnerVerdicts, verdictOn } from "./judge-partners.ts";

const fail = (breaker: Breaker, at: number) => nextBreaker(breaker, { type: "answered", ok: false, at });
const answer = (breaker: Breaker, at: number) => nextBreaker(breaker, { type: "answered", ok: true, at });

function failing(times: number, at = 0): Breaker {
  let breaker = closedBreaker(at);
  for (let n = 0; n < times; n++) breaker = fail(breaker, at);
  return breaker;
}

test("consecutive failures open it, and an answer in between resets the count", () => {
  expect(failing(BREAKER.consecutive - 1).mode).toBe("closed");
  expect(failing(BREAKER.consecutive).mode).toBe("open");
  expect(fail(answer(failing(BREAKER.consecutive - 1), 0), 0).mode).toBe("closed");
});

test("a partner that mostly fails opens it despite occasional answers", () => {
  let breaker = closedBreaker(0);
  for (let n = 0; n < 60; n++) breaker = n % 10 === 9 ? answer(breaker, n) : fail(breaker, n);
  expect(breaker.mode).toBe("open");
});

test("a partner that mostly answers never opens it, and old failures are forgotten", () => {
  let breaker = closedBreaker(0);
  for (let n = 0; n < 10_000; n++) breaker = n % 3 === 0 ? fail(breaker, n * 10) : answer(breaker, n * 10);
  expect(breaker.mode).toBe("closed");
  breaker = failing(BREAKER.consecutive - 1);
  breaker = answer(breaker, 1);
  for (let n = 0; n < 19; n++) breaker = fail(breaker, 60_000);
  expect(breaker.mode).toBe("closed");
});

test("after its pause it allows one call at a time, and three answers close it", () => {
  let breaker = failing(BREAKER.consecutive);
  breaker = nextBreaker(breaker, { type: "time", at: BREAKER.pauseMs - 1 });
  expect(viewOfBreaker(breaker)).toBe("open");
  breaker = nextBreaker(breaker, { type: "time", at: BREAKER.pauseMs });
  expect(viewOfBreaker(breaker)).toBe("half_open");
  for (let n = 0; n < BREAKER.successes; n++) {
    expect(viewOfBreaker(breaker)).toBe("half_open");
    breaker = nextBreaker(breaker, { type: "probed", at: 6000 + n });
    expect(viewOfBreaker(breaker)).toBe("open");
    breaker = answer(breaker, 6000 + n);
  }
  expect(breaker.mode).toBe("closed");
});

test("a failed probe makes the pause longer, up to a minute", () => {
  let breaker = failing(BREAKER.consecutive);
  const pauses: number[] = [];
  let at = 0;
  for (let n = 0; n < 8; n++) {
    if (breaker.mode !== "open") throw new Error("the breaker is not open");
    pauses.push(breaker.until - at);
    at = breaker.until;
    breaker = fail(nextBreaker(breaker, { type: "time", at }), at);
  }
  expect(pauses).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000, 60_000]);
});

test("a probe without an answer does not exclude the partner for good", () => {
  let breaker = nextBreaker(failing(BREAKER.consecutive), { type: "time", at: 5000 });
  breaker = nextBreaker(breaker, { type: "probed", at: 5000 });
  expect(viewOfBreaker(nextBreaker(breaker, { type: "time", at: 5999 }))).toBe("open");
  expect(viewOfBreaker(nextBreaker(breaker, { type: "time", at: 6000 }))).toBe("half_open");
});

test("late answers to earlier calls do not close an open breaker", () => {
  expect(answer(failing(BREAKER.consecutive), 1).mode).toBe("open");
});

test("a partner that recovers is asked again after at most a minute and its probes", () => {
  const event = fc.oneof(
    fc.record({ type: fc.constant("answered" as const), ok: fc.boolean(), after: fc.nat(3000) }),
    fc.record({ type: fc.constantFrom("probed" as const, "time" as const), after: fc.nat(3000) }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), (events) => {
      let at = 0;
      let breaker = closedBreaker(0);
      for (const { after, ...rest } of events) {
        at += after;
        breaker = nextBreaker(breaker, { ...rest, at });
      }
      const end = at + BREAKER.longestPauseMs + 10_000;
      while (breaker.mode !== "closed" && at < end) {
        at += 500;
        breaker = nextBreaker(breaker, { type: "time", at });
        if (viewOfBreaker(breaker) !== "half_open") continue;
        breaker = answer(nextBreaker(breaker, { type: "probed", at }), at);
      }
      expect(breaker.mode).toBe("closed");
    }),
  );
});

test("the generation changes with any partner's state, and not while all partners answer", () => {
  const board = new Breakers();
  board.answered("a", true, 0);
  expect([board.generation, board.view("a")]).toEqual([0, "closed"]);
  for (let n = 0; n < BREAKER.consecutive; n++) board.answered("a", false, 10);
  expect([board.generation, board.view("a"), board.view("b")]).toEqual([1, "open", "closed"]);
  board.advance(4000);
  expect(board.generation).toBe(1);
  board.advance(10 + BREAKER.pauseMs);
  expect([board.generation, board.view("a")]).toEqual([2, "half_open"]);
  board.probed("a", 6000);
  expect([board.generation, board.view("a")]).toEqual([3, "open"]);
  board.answered("a", true, 6010);
  expect([board.generation, board.view("a")]).toEqual([4, "half_open"]);
});

const ours = { isOurs: true, isHurried: false };

test.each([
  [{ status: "bid", httpStatus: 200 }, ours, "answered"],
  [{ status: "no_bid", httpStatus: 204 }, { isOurs: false, isHurried: true }, "answered"],
  [{ status: "http_error", httpStatus: 403 }, ours, "answered"],
  [{ status: "http_error", httpStatus: 429 }, ours, "failed"],
  [{ status: "http_error", httpStatus: 302 }, ours, "failed"],
  [{ status: "http_error", httpStatus: 500 }, ours, "failed"],
  [{ status: "http_error", httpStatus: 500 }, { ...ours, isOurs: false }, "unknown"],
  [{ status: "connection_failed" }, { ...ours, isHurried: true }, "failed"],
  [{ status: "timeout" }, ours, "failed"],
  [{ status: "timeout" }, { ...ours, isHurried: true }, "unknown"],
  [{ status: "timeout" }, { ...ours, isOurs: false }, "unknown"],
  [{ status: "request_failed" }, ours, "unknown"],
] as const)("of a partner, %j under %j says: %s", (result, terms, verdict) => {
  expect(verdictOn(result, terms)).toBe(verdict);
});

test("a paused partner's probing call that says nothing lets the next one probe", () => {
  const breakers = new Breakers();
  for (let n = 0; n < BREAKER.consecutive; n++) breakers.answered("a", false, 0);
  breakers.advance(BREAKER.pauseMs);
  for (let n = 0; n < 2 * BREAKER.successes; n++) {
    expect(breakers.view("a")).toBe("half_open");
    breakers.probed("a", BREAKER.pauseMs);
    const verdicts = new PartnerVerdicts();
    const isHurried = n % 2 === 0;
    verdicts.add("a", { status: isHurried ? "timeout" : "bid" }, { ...ours, isHurried });
    verdicts.tell(breakers, BREAKER.pauseMs + 1);
  }
  expect(breakers.view("a")).toBe("closed");
});
