import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { lruCache } from "../../../platform/lru-cache.ts";

/** What is known of a developer site's app-ads.txt. */
export type SiteState = "no_site" | "checking" | "found" | "missing";

/** A missing file is looked for again after this long; a found one is trusted for longer. */
const AGAIN_MS = { missing: 60_000, found: 3_600_000 } as const;
const MOST_ACCOUNTS = 10_000;
/** Sites that are read at the same time, for all accounts together. */
const MOST_CHECKS = 4;

interface SiteStatesDeps {
  clock: Clock;
  log: Pick<Log, "warn">;
  /** The account's developer site; null if it is not set. */
  domainOf(accountId: number): Promise<string | null>;
  /** Whether the site has all lines. */
  hasAllLines(accountId: number): Promise<boolean>;
}

export interface SiteStates {
  /** The state known so far; looks again in the background if it is old. Never waits for a site. */
  of(accountId: number): Promise<SiteState>;
  /** What somebody has just found out. */
  note(accountId: number, domain: string, isComplete: boolean): void;
  /** Waits for running checks. */
  settle(): Promise<void>;
}

/** Remembers which developer sites have their app-ads.txt, so that pages can ask often and sites are read rarely. */
export function siteStates({ clock, log, domainOf, hasAllLines }: SiteStatesDeps): SiteStates {
  const known = lruCache<number, { domain: string; state: "found" | "missing"; atMs: number }>(MOST_ACCOUNTS);
  const running = new Map<number, Promise<void>>();

  const note = (accountId: number, domain: string, isComplete: boolean) =>
    void known.set(accountId, { domain, state: isComplete ? "found" : "missing", atMs: clock.now() });

  function look(accountId: number, domain: string): void {
    if (running.has(accountId) || running.size >= MOST_CHECKS) return;
    const check = hasAllLines(accountId)
      .then((isComplete) => note(accountId, domain, isComplete))
      .catch((error: unknown) => log.warn({ err: error }, "a developer site could not be checked"))
      .finally(() => running.delete(accountId));
    running.set(accountId, check);
  }

  return {
    async of(accountId) {
      const domain = await domainOf(accountId);
      if (domain === null) return "no_site";
      const last = known.get(accountId);
      const isSame = last?.domain === domain;
      if (!isSame || clock.now() - last.atMs >= AGAIN_MS[last.state]) look(accountId, domain);
      return isSame ? last.state : "checking";
    },
    note,
    async settle() {
      await Promise.all(running.values());
    },
  };
}
