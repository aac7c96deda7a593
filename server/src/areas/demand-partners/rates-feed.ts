import { readFile } from "node:fs/promises";
import { dayOf } from "@millrace/units";
import type { Pool } from "pg";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { errorMessage } from "../../platform/error-message.ts";
import type { GuardedClient } from "../../platform/outbound/guarded-get.ts";
import { StartError } from "../../platform/start-error.ts";
import { noteRates } from "./currency-rates.ts";
import { readRatesFile } from "./read-rates-file.ts";

const EVERY_MS = 3_600_000;
const WAIT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

const isAddress = (source: string): boolean => /^https?:/.test(source);

interface FeedDeps {
  pool: Pool;
  clock: Clock;
  log: Pick<Log, "warn" | "info">;
  client: Pick<GuardedClient, "read">;
  /** A file, or an address that the operator has configured. */
  source: string;
}

/** Reads a daily file of exchange rates every hour. What cannot be read is logged; the rates that are known grow old. */
export class RatesFeed {
  readonly #deps: FeedDeps;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(deps: FeedDeps) {
    this.#deps = deps;
  }

  /** Throws StartError for a file that has no rates: an address may be away for a while, but a wrong path never gets right. */
  async start(): Promise<void> {
    await this.#assertFile();
    this.#reading = this.read();
    this.#timer = setInterval(() => {
      this.#reading = this.read();
    }, EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading;
  }

  /** Reads the source now. Never rejects. */
  async read(): Promise<void> {
    const { pool, clock, log, source } = this.#deps;
    try {
      const text = await this.#text();
      const rates = text === null ? null : readRatesFile(text);
      if (rates === null) throw new Error("it is no daily file of exchange rates");
      if (rates.some(({ day }) => day > dayOf(clock.now()))) throw new Error("its day has not begun yet");
      const changed = await noteRates(pool, rates, { source: "feed", at: new Date(clock.now()) });
      if (changed > 0) log.info({ changed, day: rates[0]?.day }, "exchange rates are noted");
    } catch (error) {
      log.warn(
        { err: error, source },
        "exchange rates cannot be read; those that are known stay until they are too old",
      );
    }
  }

  async #assertFile(): Promise<void> {
    const { source } = this.#deps;
    if (isAddress(source)) return;
    const text = await readFile(source, "utf8").catch((error: unknown) => {
      throw new StartError(`The setting CURRENCY_RATES is wrong: the file cannot be read, ${errorMessage(error)}.`);
    });
    if (readRatesFile(text) === null)
      throw new StartError(`The setting CURRENCY_RATES is wrong: ${source} is no daily file of exchange rates.`);
  }

  async #text(): Promise<string | null> {
    const { client, source } = this.#deps;
    if (!isAddress(source)) return readFile(source, "utf8");
    const reply = await client.read(source, {
      timeoutMs: WAIT_MS,
      maxBytes: MAX_BYTES,
      maxRedirects: 3,
      trustedOrigins: new Set([new URL(source).origin]),
    });
    if (!reply.ok) throw new Error(`the address cannot be read: ${reply.reason}`);
    return reply.status === 200 ? reply.body : null;
  }
}
