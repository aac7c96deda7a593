import { randomUUID } from "node:crypto";
import type { Clock } from "../../../platform/clock.ts";
import type { Block } from "../../../platform/journal/block.ts";
import { deferred } from "../../../platform/journal/deferred.ts";
import { inTime } from "../../../platform/waiting.ts";
import { type Journal, openJournal } from "../../../platform/journal/journal.ts";
import type { Log } from "../../../platform/log.ts";
import { lruCache } from "../../../platform/lru-cache.ts";
import { RepeatedFailures } from "../../../platform/repeated-failures.ts";
import { DEVICE_MACRO, expandLink } from "../../measurement/index.ts";
import type { NoticeKind, NoticeSender } from "./notice-sender.ts";

export interface Notice {
  kind: NoticeKind;
  url: string;
  bidder: string;
  /** What to fill in for the macro of the hashed advertising id when it is sent. It is kept in memory only, and lost in a crash. */
  deviceSha1?: string;
}

/** A notice in the journal. */
interface NoticeRow extends Omit<Notice, "deviceSha1"> {
  id: string;
  asksForDevice: boolean;
  /** The process that has written the row, which sends it itself. */
  run: string;
  /** When the notice was first stored, in epoch milliseconds. */
  at: number;
  /** The number of failed tries. If there are any, the notice is sent again when its row leaves the journal. */
  tries: number;
}

/** A notice on disk that waits for `send` or `cancel`. */
export interface HeldNotice {
  send(): void;
  cancel(): void;
}

const NOTICES = "notices";
/** The journal's table of finished notices' ids. */
const DONE = "done";
export const NOTICE_TABLES = [DONE, NOTICES] as const;
const MAX_TRIES = 3;
const MAX_AGE_MS = 24 * 3_600_000;
/** The limit on disk. Notices beyond it are sent as well, but lost if the process dies first. */
const MAX_BYTES = 256 * 2 ** 20;
/** How long to wait for a segment's notices. Unfinished ones are then stored again, so that slow bidders delay no others. */
const SETTLE_MS = 10_000;
/** The number of notices sent from the journal at a time. */
const AT_ONCE = 500;
const KNOWN_IDS = 100_000;

/**
 * Keeps notices in their own journal until they are delivered, with up to three tries each. After a crash, notices that
 * may not have been delivered are sent again; a bidder recognises repeats by the auction's id.
 */
export class NoticeOutbox {
  readonly #run = randomUUID();
  readonly #sender: Pick<NoticeSender, "send" | "close">;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #unkept: RepeatedFailures;
  #journal: Journal | undefined;
  #isClosed = false;
  /** Ids from an earlier process that are finished or have been taken over. */
  readonly #taken = new Set<string>();
  /** This process's unfinished notices by id. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Ids of the last held notices, because a repeated beacon brings the same ones. */
  readonly #known = lruCache<string, true>(KNOWN_IDS);
  /** By the id of a notice, until it is finished. */
  readonly #deviceSha1s = lruCache<string, string>(KNOWN_IDS);

  constructor(sender: Pick<NoticeSender, "send" | "close">, clock: Clock, log: Log) {
    this.#sender = sender;
    this.#clock = clock;
    this.#log = log;
    this.#unkept = new RepeatedFailures((facts) =>
      log.warn(facts, "a notice could not be kept on disk; it is sent from memory"),
    );
  }

  /** Opens the journal in a directory, which no other process may use, and sends its remaining notices. */
  async open(dir: string): Promise<void> {
    const isRead = deferred();
    this.#journal = await openJournal(dir, {
      ship: async (block) => {
        await isRead.promise;
        if (block.table === NOTICES) await this.#deliver(block);
      },
      log: this.#log,
      patient: [DONE],
      limits: { backlogBytes: MAX_BYTES, waitingBytes: MAX_BYTES / 16 },
    });
    for await (const row of this.#journal.leftovers(DONE)) this.#taken.add((row as NoticeRow).id);
    for await (const row of this.#journal.leftovers(NOTICES)) this.#known.set((row as NoticeRow).id, true);
    isRead.resolve();
  }

  /** Sends a notice now, and keeps it on disk until it is delivered. */
  send(notice: Notice): void {
    const row = this.#rowOf(notice, randomUUID());
    void this.#keep(row);
    this.#track(row.id, this.#attempt(row));
  }

  /**
   * Stores a notice on disk until `send` or `cancel`. If the process dies before either, the next one sends it. Null for an
   * `id` that was already held.
   */
  async hold(notice: Notice, id: string): Promise<HeldNotice | null> {
    if (this.#known.has(id)) return null;
    this.#known.set(id, true);
    const row = this.#rowOf(notice, id);
    let decide: (isWanted: boolean) => void = () => undefined;
    const decided = new Promise<boolean>((resolve) => {
      decide = resolve;
    });
    const work = async () => {
      if (await decided) await this.#attempt(row);
      else this.#finish(id);
    };
    this.#track(id, work());
    await this.#keep(row);
    return {
      send: () => decide(true),
      cancel: () => {
        this.#known.delete(id);
        decide(false);
      },
    };
  }

  /** Resolves when all of this process's notices are finished, or after `timeoutMs`. */
  async drain(timeoutMs = 60_000): Promise<void> {
    await inTime(this.#idle(), timeoutMs);
  }

  /** Closes the journal. Undelivered notices are sent after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#sender.close();
    await this.#journal?.close(0);
  }

  async #idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
  }

  #rowOf({ deviceSha1 = "", ...notice }: Notice, id: string): NoticeRow {
    const asksForDevice = deviceSha1 !== "";
    if (asksForDevice) this.#deviceSha1s.set(id, deviceSha1);
    return { ...notice, id, asksForDevice, run: this.#run, at: this.#clock.now(), tries: 0 };
  }

  async #keep(row: NoticeRow): Promise<void> {
    try {
      await this.#journal?.append(NOTICES, row);
    } catch (error) {
      this.#unkept.add(error, { kind: row.kind });
    }
  }

  #track(id: string, work: Promise<void>): void {
    this.#underWay.set(
      id,
      work.finally(() => this.#underWay.delete(id)),
    );
  }

  async #attempt(row: NoticeRow): Promise<void> {
    const deviceSha1 = this.#deviceSha1s.get(row.id) ?? "";
    const url = row.asksForDevice ? expandLink(row.url, new Map([[DEVICE_MACRO, deviceSha1]])) : row.url;
    const outcome = await this.#sender.send(row.kind, url, row.bidder);
    if (this.#isClosed) return;
    const tries = row.tries + 1;
    const isOver = outcome === "sent" || outcome === "refused" || tries >= MAX_TRIES;
    if (isOver || this.#clock.now() - row.at > MAX_AGE_MS) this.#finish(row.id);
    else await this.#keep({ ...row, run: this.#run, tries });
  }

  #finish(id: string): void {
    this.#deviceSha1s.delete(id);
    // Not awaited: at worst a notice is repeated after a crash.
    this.#journal?.append(DONE, { id }).catch(() => undefined);
  }

  /** Ships a segment of the journal. When it resolves, each notice is finished or stored again. */
  async #deliver({ rows }: Block): Promise<void> {
    const lines = rows.toString().split("\n");
    const all = lines.flatMap((line) => (line === "" ? [] : [JSON.parse(line) as NoticeRow]));
    for (let from = 0; from < all.length; from += AT_ONCE) await this.#settle(all.slice(from, from + AT_ONCE));
  }

  async #settle(rows: readonly NoticeRow[]): Promise<void> {
    for (const row of rows) {
      if (this.#isClosed) break;
      const isOurs = row.run === this.#run;
      // Our own notices are being sent unless they failed; an earlier process may have stored a notice in several rows.
      if (isOurs ? row.tries === 0 : this.#taken.has(row.id)) continue;
      if (this.#underWay.has(row.id)) continue;
      if (!isOurs) this.#taken.add(row.id);
      this.#track(row.id, this.#attempt(row));
    }
    await inTime(Promise.all(rows.flatMap(({ id }) => this.#underWay.get(id) ?? [])), SETTLE_MS);
    // Rejects, so that the segment stays.
    if (this.#isClosed) throw new Error("the notices wait for the next start");
    const late = rows.filter(({ id }) => this.#underWay.has(id));
    await Promise.all(late.map((row) => this.#keep({ ...row, run: this.#run, tries: 0 })));
  }
}
