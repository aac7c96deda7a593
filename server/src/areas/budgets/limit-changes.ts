import pg from "pg";
import type { Log } from "../../platform/log.ts";
import { sleep } from "../../platform/waiting.ts";

const RECONNECT_MS = 1000;

interface Listener {
  campaign(id: number): void;
  account(id: number): void;
  /** Changes may have been missed. */
  all(): void;
}

/** Hears of changed limits and balances from the triggers of migration 0016, on a connection of its own. */
export class LimitChanges {
  readonly #url: string;
  readonly #listener: Listener;
  readonly #log: Log;
  readonly #stopped = new AbortController();
  #running: Promise<void> | undefined;

  constructor(url: string, listener: Listener, log: Log) {
    this.#url = url;
    this.#listener = listener;
    this.#log = log;
  }

  /** Resolves when it listens, or after the first failure, when it tries again. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#running = this.#run(resolve);
    });
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #run(tried: () => void): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const client = new pg.Client({
        connectionString: this.#url,
        application_name: "millrace",
        connectionTimeoutMillis: 5000,
        keepAlive: true,
      });
      const over = new AbortController();
      client.on("error", () => over.abort());
      client.on("end", () => over.abort());
      client.on("notification", ({ payload }) => this.#hear(payload ?? ""));
      try {
        await client.connect();
        await client.query("LISTEN budgets");
        this.#listener.all();
        tried();
        await ended(AbortSignal.any([signal, over.signal]));
      } catch (error) {
        this.#log.warn({ err: error }, "changes of budgets are not heard: PostgreSQL does not answer");
        tried();
      }
      await client.end().catch(() => undefined);
      await sleep(RECONNECT_MS, signal);
    }
  }

  /** `campaign 5`, `account 3` */
  #hear(payload: string): void {
    const [kind, id] = payload.split(" ");
    if (kind === "campaign") this.#listener.campaign(Number(id));
    if (kind === "account") this.#listener.account(Number(id));
  }
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
