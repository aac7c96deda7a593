import { DAY_MS, type DayRange, dayOf, dayStartMs } from "@millrace/units";
import type { AskStore } from "./ask-store.ts";
import { type CandidateDay, candidateDays } from "./request-days.ts";
import { type FoundRequest, type Place, type RequestFilters, requestsOf, tracedAuctions } from "./requests.stat.ts";

export type { Place, RequestFilters } from "./requests.stat.ts";

export interface RequestsQuestion extends RequestFilters {
  appId: number;
  range: DayRange;
  /** Only what is older than this place. */
  before: Place | null;
  /** Only what is newer than this place, or a few seconds older. */
  after: Place | null;
  rows: number;
}

export interface FoundRequests {
  requests: (FoundRequest & { traced: boolean })[];
  /** Where the next page begins; null if nothing older can match. */
  older: Place | null;
  /** Everything since then has been searched. */
  searchedFromMs: number;
}

interface RequestsDeps {
  ask: AskStore;
  /** Milliseconds of any clock that does not jump. */
  now(): number;
}

/** A search is cut off after this time, and continued by the next page. */
const BUDGET_MS = 110;
/** Concurrent auctions are stored out of order by at most this much. */
const OUT_OF_ORDER_MS = 5000;
/** A query takes about this long without any rows, so a faster one says nothing about more days. */
const LEAST_QUERY_MS = 10;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * An app's recorded requests, newest first. Rollups tell which days may have matches; those are searched a few at a time, so
 * that a common filter is answered by the newest day, and a rare one in bounded time over any number of rows.
 */
export async function findRequests({ ask, now }: RequestsDeps, question: RequestsQuestion): Promise<FoundRequests> {
  const { before, after, rows } = question;
  const begunAt = now();
  const startMs = Math.max(dayStartMs(question.range.ds), after === null ? 0 : after.atMs - OUT_OF_ORDER_MS);
  const endMs = Math.min(dayStartMs(question.range.de) + DAY_MS, before === null ? Infinity : before.atMs + 1);
  const range = { ds: dayOf(startMs), de: dayOf(Math.max(startMs, endMs - 1)) };
  const days = endMs <= startMs ? [] : await candidateDays(ask, question.appId, range, question);
  const found: FoundRequest[] = [];
  let searched = 0;
  let atOnce = 1;
  while (searched < days.length && found.length <= rows) {
    // One more than the page shows whether there is another page.
    const missing = rows + 1 - found.length;
    const some = days.slice(searched, searched + Math.max(atOnce, daysFor(days.slice(searched), missing)));
    const askedAt = now();
    found.push(...(await askDays(ask, question, { days: some, startMs, endMs, rows: missing })));
    searched += some.length;
    const leftMs = BUDGET_MS - (now() - begunAt);
    if (leftMs <= 0) break;
    atOnce = nextDays({ days: some.length, tookMs: now() - askedAt, leftMs });
  }
  const requests = await withTraces(ask, found.slice(0, rows));
  const last = requests.at(-1);
  if (found.length > rows && last) return { requests, older: placeOf(last), searchedFromMs: last.atMs };
  const next = days[searched];
  if (next === undefined) return { requests, older: null, searchedFromMs: startMs };
  // The next page begins with the newest day that has not been searched.
  const fromMs = Math.max(startMs, dayStartMs(next.day) + DAY_MS);
  return { requests, older: { atMs: fromMs - 1, auction: LAST_ID, imp: "" }, searchedFromMs: fromMs };
}

const MOST_DAYS = 31;

/** How many of these days it takes until they may have as many requests as wanted. */
function daysFor(days: readonly CandidateDay[], wanted: number): number {
  let sum = 0;
  const enough = days.findIndex(({ most }) => (sum += most) >= wanted);
  return Math.min(MOST_DAYS, enough < 0 ? days.length : enough + 1);
}

/** How many days to search next: twice as many, if the last ones' speed allows it in half of the time left. */
export function nextDays({ days, tookMs, leftMs }: { days: number; tookMs: number; leftMs: number }): number {
  const affordable = (days * leftMs) / 2 / Math.max(tookMs, LEAST_QUERY_MS);
  return Math.max(1, Math.floor(Math.min(2 * days, affordable)));
}

interface Searched {
  days: readonly CandidateDay[];
  startMs: number;
  endMs: number;
  rows: number;
}

async function askDays(
  ask: AskStore,
  question: RequestsQuestion,
  { days, startMs, endMs, rows }: Searched,
): Promise<readonly FoundRequest[]> {
  const { appId, before, zones, formats, countries, reasons, winners, partners } = question;
  const [newest, oldest] = [days[0], days.at(-1)];
  if (!newest || !oldest) return [];
  return ask(requestsOf(question), {
    app: appId,
    days: days.map(({ day }) => day),
    fromMs: Math.max(startMs, dayStartMs(oldest.day)),
    toMs: Math.min(endMs, dayStartMs(newest.day) + DAY_MS),
    beforeMs: before?.atMs ?? endMs,
    beforeAuction: before?.auction ?? FIRST_ID,
    beforeImp: before?.imp ?? "",
    zones: [...zones],
    formats: [...formats],
    countries: [...countries],
    reasons: [...reasons],
    winners: [...winners],
    partners: [...partners],
    rows,
    de: newest.day,
  });
}

export const placeOf = ({ atMs, auction, imp }: Place): Place => ({ atMs, auction, imp });

async function withTraces(ask: AskStore, found: readonly FoundRequest[]): Promise<FoundRequests["requests"]> {
  const [newest, oldest] = [found[0], found.at(-1)];
  if (!newest || !oldest) return [];
  const traced = await ask(tracedAuctions, {
    auctions: [...new Set(found.map(({ auction }) => auction))],
    fromMs: oldest.atMs,
    toMs: newest.atMs,
    de: dayOf(newest.atMs),
  });
  const kept = new Set(traced.map(({ auction }) => auction));
  return found.map((request) => ({ ...request, traced: kept.has(request.auction) }));
}
