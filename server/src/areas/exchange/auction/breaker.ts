/** The recent results of a partner's calls. Times are milliseconds of one monotonic clock. */
export type Breaker =
  | { mode: "closed"; consecutive: number; window: Counts; before: Counts }
  /** Not asked until `until`; `openings` in a row make the pause longer. */
  | { mode: "open"; until: number; openings: number }
  /** One probing call at a time is allowed; `probeUntil` is when the current one is given up. */
  | { mode: "half_open"; openings: number; successes: number; probeUntil: number | null };

/** Call counts of one interval. */
interface Counts {
  from: number;
  calls: number;
  failures: number;
}

export type BreakerEvent =
  /** A completed call: `ok` if a readable answer, including a no-bid, arrived in time. */
  | { type: "answered"; ok: boolean; at: number }
  /** A completed call that says nothing about the partner. */
  | { type: "untold"; at: number }
  /** A half-open breaker allowed a call. */
  | { type: "probed"; at: number }
  | { type: "time"; at: number };

export const BREAKER = {
  /** Consecutive failures that open the breaker. */
  consecutive: 20,
  /** The share of failures that opens it, among at least `minCalls` in the last one to two windows. */
  share: 0.8,
  minCalls: 50,
  windowMs: 5000,
  pauseMs: 5000,
  longestPauseMs: 60_000,
  /** Answered probes in a row that close it. */
  successes: 3,
  probeMs: 1000,
} as const;

export function closedBreaker(at: number): Breaker {
  const empty = { from: at, calls: 0, failures: 0 };
  return { mode: "closed", consecutive: 0, window: empty, before: empty };
}

/** The next state of a breaker. A pure function. */
export function nextBreaker(breaker: Breaker, event: BreakerEvent): Breaker {
  switch (breaker.mode) {
    case "closed":
      return event.type === "answered" ? counted(breaker, event.ok, event.at) : breaker;
    case "open":
      // Answers to calls from before it opened are outdated.
      return event.at < breaker.until
        ? breaker
        : { mode: "half_open", openings: breaker.openings, successes: 0, probeUntil: null };
    case "half_open":
      return probed(breaker, event);
  }
}

function counted(breaker: Breaker & { mode: "closed" }, ok: boolean, at: number): Breaker {
  let { window, before } = breaker;
  if (at - window.from >= BREAKER.windowMs) {
    const isRecent = at - window.from < 2 * BREAKER.windowMs;
    before = isRecent ? window : { from: at, calls: 0, failures: 0 };
    window = { from: at, calls: 0, failures: 0 };
  }
  window = { from: window.from, calls: window.calls + 1, failures: window.failures + (ok ? 0 : 1) };
  const consecutive = ok ? 0 : breaker.consecutive + 1;
  const calls = window.calls + before.calls;
  const failures = window.failures + before.failures;
  const opens = consecutive >= BREAKER.consecutive || (calls >= BREAKER.minCalls && failures >= calls * BREAKER.share);
  return opens ? opened(1, at) : { mode: "closed", consecutive, window, before };
}

function probed(breaker: Breaker & { mode: "half_open" }, event: BreakerEvent): Breaker {
  if (event.type === "probed") return { ...breaker, probeUntil: event.at + BREAKER.probeMs };
  // The next call probes instead.
  if (event.type === "untold") return { ...breaker, probeUntil: null };
  if (event.type === "time") {
    return breaker.probeUntil !== null && event.at >= breaker.probeUntil ? { ...breaker, probeUntil: null } : breaker;
  }
  if (!event.ok) return opened(breaker.openings + 1, event.at);
  const successes = breaker.successes + 1;
  return successes >= BREAKER.successes ? closedBreaker(event.at) : { ...breaker, successes, probeUntil: null };
}

function opened(openings: number, at: number): Breaker {
  const pauseMs = Math.min(BREAKER.longestPauseMs, BREAKER.pauseMs * 2 ** Math.min(openings - 1, 10));
  return { mode: "open", until: at + pauseMs, openings };
}

/** The state an auction sees: a half-open breaker with a pending probe is open for other calls. */
export function viewOfBreaker(breaker: Breaker): "closed" | "open" | "half_open" {
  return breaker.mode === "half_open" && breaker.probeUntil !== null ? "open" : breaker.mode;
}
