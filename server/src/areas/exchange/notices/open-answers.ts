import { randomUUID } from "node:crypto";
import type { MacroValues } from "@millrace/openrtb";
import type { Clock } from "../../../platform/clock.ts";
import type { Block } from "../../../platform/journal/block.ts";
import { deferred } from "../../../platform/journal/deferred.ts";
import { inTime } from "../../../platform/waiting.ts";
import { type Journal, openJournal } from "../../../platform/journal/journal.ts";
import type { Log } from "../../../platform/log.ts";

/** A returned bid whose bidder gets a loss notice if another ad of the response is shown. */
export interface Returned {
  impId: string;
  candidateId: string;
  provider: string;
  macros: MacroValues;
  lurl: string;
}

/** Ads of one response. */
export interface ReturnedAds {
  auctionId: string;
  ads: readonly Returned[];
  expiresAtMs: number;
}

/** A response in the journal. */
interface AnswerRow extends ReturnedAds {
  /** The process that has written the row. */
  run: string;
}

interface OpenAnswer {
  expiresAtMs: number;
  ads: readonly Returned[];
  chars: number;
}

const ANSWERS = "answers";
/** The journal's table of ads that no longer wait. */
const TOLD = "told";
export const ANSWER_TABLES = [TOLD, ANSWERS] as const;
const MAX_ANSWERS = 50_000;
const MAX_CHARS = 32 * 2 ** 20;
/** An estimate of the memory of an ad besides its address. */
const CHARS_BESIDE = 500;
/** The limit on disk. Beyond it the oldest rows are dropped, and those that still wait are written again. */
const MAX_BYTES = 128 * 2 ** 20;
const MAX_ROW_AGE_MS = 3_600_000;
const LOOK_MS = 1000;

/**
 * Responses whose other ads wait for their loss notices, in memory and in a journal. A row stays in the journal while its
 * response may be open; after an hour its remaining ads are written again, so that the journal contains little else.
 */
export class OpenAnswers {
  readonly #run = randomUUID();
  readonly #clock: Clock;
  readonly #lifeMs: number;
  /** By auction, oldest first. */
  readonly #open = new Map<string, OpenAnswer>();
  #chars = 0;
  #journal: Journal | undefined;
  readonly #closed = deferred();
  #isClosed = false;

  constructor(clock: Clock, lifeMs: number) {
    this.#clock = clock;
    this.#lifeMs = lifeMs;
  }

  /** Opens the journal in a directory, which no other process may use, and reads the open responses. */
  async open(dir: string, log: Log): Promise<void> {
    const isRead = deferred();
    this.#journal = await openJournal(dir, {
      ship: async (block) => {
        await isRead.promise;
        if (block.table === ANSWERS) await this.#makePlace(block);
      },
      log: quietly(log),
      patient: [ANSWERS, TOLD],
      limits: { backlogBytes: 2 * MAX_BYTES, waitingBytes: 2 * MAX_CHARS, segmentMs: LOOK_MS * 60 },
    });
    await this.#readLeftovers(this.#journal);
    await this.#write([...this.#open.keys()]);
    isRead.resolve();
  }

  add(auctionId: string, ads: readonly Returned[]): void {
    this.#remember({ auctionId, ads, expiresAtMs: this.#clock.now() + this.#lifeMs });
    this.#write([auctionId]).catch(() => undefined);
  }

  /** Takes ads of a response, so that their notices are sent once. They stay on disk until `end`. Null if none waits. */
  take(auctionId: string, isTaken: (ad: Returned) => boolean): ReturnedAds | null {
    const open = this.#open.get(auctionId);
    if (!open) return null;
    const ads = open.ads.filter(isTaken);
    open.ads = open.ads.filter((ad) => !ads.includes(ad));
    if (open.ads.length === 0) this.#drop(auctionId);
    return ads.length === 0 ? null : { auctionId, ads, expiresAtMs: open.expiresAtMs };
  }

  /** Marks the ads as finished, also after a crash. */
  end({ auctionId, ads }: ReturnedAds): void {
    const rows = ads.map((ad) => ({ ad: nameOf(auctionId, ad) }));
    // Not awaited: at worst a notice is repeated after a crash.
    this.#journal?.appendAll(TOLD, rows).catch(() => undefined);
  }

  /** Lets the ads wait again. */
  putBack({ auctionId, ads, expiresAtMs }: ReturnedAds): void {
    const others = this.#open.get(auctionId)?.ads ?? [];
    this.#drop(auctionId);
    this.#remember({ auctionId, ads: [...others, ...ads], expiresAtMs });
    this.#write([auctionId]).catch(() => undefined);
  }

  /** An estimate of the memory of waiting ads, in characters. */
  get waitingChars(): number {
    return this.#chars;
  }

  /** Forgets responses whose beacons have expired. */
  forget(): void {
    const now = this.#clock.now();
    for (const [auctionId, { expiresAtMs }] of this.#open) {
      if (expiresAtMs > now) return;
      this.#drop(auctionId);
    }
  }

  /** Closes the journal. Open responses are read at the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closed.resolve();
    await this.#journal?.close(0);
  }

  #remember({ auctionId, ads, expiresAtMs }: ReturnedAds): void {
    const chars = ads.reduce((sum, { lurl }) => sum + lurl.length + CHARS_BESIDE, 0);
    this.#open.set(auctionId, { expiresAtMs, ads, chars });
    this.#chars += chars;
    for (const [oldest] of this.#open) {
      if (this.#open.size <= MAX_ANSWERS && this.#chars <= MAX_CHARS) return;
      this.#drop(oldest);
    }
  }

  #drop(auctionId: string): void {
    this.#chars -= this.#open.get(auctionId)?.chars ?? 0;
    this.#open.delete(auctionId);
  }

  /** Writes the open responses. */
  async #write(auctionIds: readonly string[]): Promise<void> {
    const rows = auctionIds.flatMap((auctionId): AnswerRow[] => {
      const open = this.#open.get(auctionId);
      return open ? [{ run: this.#run, auctionId, ads: open.ads, expiresAtMs: open.expiresAtMs }] : [];
    });
    if (rows.length > 0) await this.#journal?.appendAll(ANSWERS, rows);
  }

  async #readLeftovers(journal: Journal): Promise<void> {
    const endedIds = new Set<string>();
    for await (const row of journal.leftovers(TOLD)) endedIds.add((row as { ad: string }).ad);
    const now = this.#clock.now();
    const left = new Map<string, ReturnedAds>();
    for await (const row of journal.leftovers(ANSWERS)) {
      const { auctionId, expiresAtMs, ads } = row as AnswerRow;
      const waiting = ads.filter((ad) => !endedIds.has(nameOf(auctionId, ad)));
      if (expiresAtMs > now && waiting.length > 0) left.set(auctionId, { auctionId, expiresAtMs, ads: waiting });
    }
    for (const answer of [...left.values()].sort((a, b) => a.expiresAtMs - b.expiresAtMs)) this.#remember(answer);
  }

  /** Keeps a segment for an hour if there is space. When this resolves, its waiting rows are written again. */
  async #makePlace({ rows }: Block): Promise<void> {
    const lines = rows.toString().split("\n");
    const written = lines.flatMap((line) => (line === "" ? [] : [JSON.parse(line) as AnswerRow]));
    const ours = written.filter(({ run }) => run === this.#run);
    // Rows of an earlier process were written again when they were read.
    if (ours.length === 0) return;
    const until = performance.now() + MAX_ROW_AGE_MS;
    while (performance.now() < until && (this.#journal?.backlog().bytes ?? 0) < MAX_BYTES) {
      if (await inTime(this.#closed.promise, LOOK_MS)) break;
    }
    // Rejects, so that the segment stays.
    if (this.#isClosed) throw new Error("open answers wait for the next start");
    await this.#write([...new Set(ours.map(({ auctionId }) => auctionId))]);
  }
}

const nameOf = (auctionId: string, { impId, candidateId, provider }: Returned): string =>
  JSON.stringify([auctionId, impId, candidateId, provider]);

/** Drops the journal's warnings about waiting rows, because these wait by design. */
const quietly = (log: Log): Log => ({
  debug: (facts, message) => log.debug(facts, message),
  info: (facts, message) => log.debug(facts, message),
  warn: (facts, message) => log.debug(facts, message),
  error: (facts, message) => log.error(facts, message),
});
