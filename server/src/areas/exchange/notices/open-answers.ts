import { randomUUID } from "node:crypto";
import type { MacroValues } from "@millrace/openrtb";
import type { Clock } from "../../../platform/clock.ts";
import type { Block } from "../../../platform/journal/block.ts";
import { deferred } from "../../../platform/journal/deferred.ts";
import { inTime } from "../../../platform/journal/in-time.ts";
import { type Journal, openJournal } from "../../../platform/journal/journal.ts";
import type { Log } from "../../../platform/log.ts";

/** A returned bid whose bidder is told if another ad of the answer is shown. */
export interface Returned {
  impId: string;
  candidateId: string;
  provider: string;
  macros: MacroValues;
  lurl: string;
}

/** Ads of one answer. */
export interface ReturnedAds {
  auctionId: string;
  ads: readonly Returned[];
  expiresAtMs: number;
}

/** An answer as the journal has it. */
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
/** Names of ads that wait no more. */
const TOLD = "told";
const MAX_ANSWERS = 50_000;
const MAX_CHARS = 32 * 2 ** 20;
/** About what an ad takes beside its address. */
const CHARS_BESIDE = 500;
/** On disk. Older rows then make place, of which those that still wait are written anew. */
const MAX_BYTES = 128 * 2 ** 20;
const MAX_ROW_AGE_MS = 3_600_000;
const LOOK_MS = 1000;

/**
 * Answers whose ads wait to be told that they have lost, in memory and in a journal. A row stays in the journal while its
 * answer may still be open; what is left of it after an hour is written anew, so that the journal holds little else.
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

  /** Opens the journal in this directory, which no other process may have open, and reads what was left open. */
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

  /** Takes ads of an answer, so that nobody else tells them; they are kept on disk until `end`. Null where none waits. */
  take(auctionId: string, isTaken: (ad: Returned) => boolean): ReturnedAds | null {
    const open = this.#open.get(auctionId);
    if (!open) return null;
    const ads = open.ads.filter(isTaken);
    open.ads = open.ads.filter((ad) => !ads.includes(ad));
    if (open.ads.length === 0) this.#drop(auctionId);
    return ads.length === 0 ? null : { auctionId, ads, expiresAtMs: open.expiresAtMs };
  }

  /** They wait no more, also after a crash. */
  end({ auctionId, ads }: ReturnedAds): void {
    const rows = ads.map((ad) => ({ ad: nameOf(auctionId, ad) }));
    // Nobody waits for it: at worst a notice goes out once more after a crash.
    this.#journal?.appendAll(TOLD, rows).catch(() => undefined);
  }

  /** They wait again. */
  putBack({ auctionId, ads, expiresAtMs }: ReturnedAds): void {
    const others = this.#open.get(auctionId)?.ads ?? [];
    this.#drop(auctionId);
    this.#remember({ auctionId, ads: [...others, ...ads], expiresAtMs });
    this.#write([auctionId]).catch(() => undefined);
  }

  /** About how much waits in memory, in characters. */
  get waitingChars(): number {
    return this.#chars;
  }

  /** Forgets answers whose beacons have expired. */
  forget(): void {
    const now = this.#clock.now();
    for (const [auctionId, { expiresAtMs }] of this.#open) {
      if (expiresAtMs > now) return;
      this.#drop(auctionId);
    }
  }

  /** Ends; what is open is left to the next start. */
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

  /** Writes the answers that are still open. */
  async #write(auctionIds: readonly string[]): Promise<void> {
    const rows = auctionIds.flatMap((auctionId): AnswerRow[] => {
      const open = this.#open.get(auctionId);
      return open ? [{ run: this.#run, auctionId, ads: open.ads, expiresAtMs: open.expiresAtMs }] : [];
    });
    if (rows.length > 0) await this.#journal?.appendAll(ANSWERS, rows);
  }

  async #readLeftovers(journal: Journal): Promise<void> {
    const told = new Set<string>();
    for await (const row of journal.leftovers(TOLD)) told.add((row as { ad: string }).ad);
    const now = this.#clock.now();
    const left = new Map<string, ReturnedAds>();
    for await (const row of journal.leftovers(ANSWERS)) {
      const { auctionId, expiresAtMs, ads } = row as AnswerRow;
      const waiting = ads.filter((ad) => !told.has(nameOf(auctionId, ad)));
      if (expiresAtMs > now && waiting.length > 0) left.set(auctionId, { auctionId, expiresAtMs, ads: waiting });
    }
    for (const answer of [...left.values()].sort((a, b) => a.expiresAtMs - b.expiresAtMs)) this.#remember(answer);
  }

  /** Lets a segment's rows stay for an hour while there is place. When this resolves, those that wait are written anew. */
  async #makePlace({ rows }: Block): Promise<void> {
    const lines = rows.toString().split("\n");
    const written = lines.flatMap((line) => (line === "" ? [] : [JSON.parse(line) as AnswerRow]));
    const ours = written.filter(({ run }) => run === this.#run);
    // Those of an earlier process were written anew when they were read.
    if (ours.length === 0) return;
    const until = performance.now() + MAX_ROW_AGE_MS;
    while (performance.now() < until && (this.#journal?.backlog().bytes ?? 0) < MAX_BYTES) {
      if (await inTime(this.#closed.promise, LOOK_MS)) break;
    }
    // The segment has to stay.
    if (this.#isClosed) throw new Error("open answers wait for the next start");
    await this.#write([...new Set(ours.map(({ auctionId }) => auctionId))]);
  }
}

const nameOf = (auctionId: string, { impId, candidateId, provider }: Returned): string =>
  JSON.stringify([auctionId, impId, candidateId, provider]);

/** A journal warns of rows that wait, which these do by design. */
const quietly = (log: Log): Log => ({
  debug: (facts, message) => log.debug(facts, message),
  info: (facts, message) => log.debug(facts, message),
  warn: (facts, message) => log.debug(facts, message),
  error: (facts, message) => log.error(facts, message),
});
