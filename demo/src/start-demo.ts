import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { createRequire } from "node:module";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Pool } from "pg";
import type { StoredFiles } from "../../server/src/platform/files/stored-files.ts";
import { connectClickHouse } from "../../server/src/platform/clickhouse/connect-clickhouse.ts";
import type { Log } from "../../server/src/platform/log.ts";
import { supervise } from "../../server/src/platform/supervise.ts";
import { bookPastSpend } from "./campaigns/past-campaigns.ts";
import { logPastPostbacks } from "./campaigns/past-postbacks.ts";
import { seedDeductions } from "./deductions/seed-deductions.ts";
import type { FromDemo, ToDemo } from "./messages.ts";
import { HISTORY_DAYS } from "./population.ts";
import type { PostbackTarget } from "./traffic/convert.ts";
import { seedStatements } from "./statements/seed-statements.ts";
import { seedDemo } from "./seed-demo.ts";
import type { DemoLogin, SeededDemo } from "./seed-demo.ts";

export interface DemoOptions {
  pool: Pool;
  /** Takes the images of the advertiser's creatives. */
  files: StoredFiles;
  /** An address for `connectClickHouse`. */
  clickhouseUrl: string;
  /** The exchange's address on this machine. */
  exchangeUrl: string;
  /** Makes the exchange trust the address that a demo device claims. */
  deviceKey: string;
  seed: string;
  /** The password of the three logins; random at each start if absent. */
  password?: string | undefined;
  hashPassword(password: string): Promise<string>;
  /** Where an account's conversions are reported. */
  postbacksOf(accountId: number): Promise<PostbackTarget>;
  /** The publisher's share of the price, in millionths. */
  revenueSharePpm: number;
  log: Log;
  historyDays?: number;
  /** Traffic relative to the end of history; 1 continues at the same level. */
  pace?: number;
  onHistoryProgress?: (share: number) => void;
  /** Called once the history and the campaigns' spend in it are written. */
  onHistoryWritten?: () => Promise<void>;
}

export interface Demo {
  logins: DemoLogin[];
  /** The share of history that is written, 0 to 1. */
  progress(): number;
  counts(): Extract<FromDemo, { kind: "counts" }> | undefined;
  /** The demo process's id; undefined while it restarts. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

const RETRY_BOOKING_MS = 5000;
/** Without characters that look alike. */
const PASSWORD_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";

/**
 * Starts the demo: seeds the stores and runs lab, traffic and the writing of history in a supervised child process. Call it
 * once the exchange is listening.
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { log } = options;
  const password =
    options.password ?? Array.from({ length: 12 }, () => PASSWORD_LETTERS[randomInt(PASSWORD_LETTERS.length)]).join("");
  let seeded: SeededDemo | undefined;
  let progress = 0;
  let counts: Extract<FromDemo, { kind: "counts" }> | undefined;
  let port = 0;

  const stopping = new AbortController();
  let booking: Promise<void> | undefined;
  /** Repeats until both stores take part, and it is done. */
  const untilDone = async (work: (of: SeededDemo) => Promise<boolean>): Promise<void> => {
    while (seeded !== undefined && !stopping.signal.aborted) {
      try {
        if (await work(seeded)) return;
      } catch (error) {
        log.warn({ error: String(error) }, "What the demo's history led to is waiting for the stores");
      }
      await pause(RETRY_BOOKING_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const bookHistory = async (): Promise<void> => {
    const clickhouse = connectClickHouse(options.clickhouseUrl);
    const stores = { pool: options.pool, read: clickhouse.read };
    await untilDone(async ({ campaigns, inhouse, sinceMs: untilMs, advertiserId, publisher: { accountId } }) => {
      await bookPastSpend(stores, campaigns, untilMs);
      await logPastPostbacks(stores, { accountId: advertiserId, campaigns, untilMs });
      await logPastPostbacks(stores, { accountId, campaigns: inhouse, untilMs });
      await options.onHistoryWritten?.();
      return true;
    });
    await untilDone(({ publisher, adminUserId, sinceMs }) =>
      seedDeductions(stores, { publisher, adminUserId, untilMs: sinceMs, nowMs: Date.now() }),
    );
    await untilDone(({ adminUserId }) => seedStatements(stores, { adminUserId, nowMs: Date.now() }));
    await clickhouse.close();
  };

  const onMessage = (message: FromDemo) => {
    if (message.kind === "history") {
      progress = message.progress;
      options.onHistoryProgress?.(progress);
      if (progress === 1) booking ??= bookHistory();
    } else if (message.kind === "counts") {
      counts = message;
    } else if (message.kind === "log") {
      log[message.level](message.facts, message.message);
    }
  };

  const child = await supervise({
    name: "The demo",
    log: (line) => log.debug({}, line),
    spawn: () => {
      const running = startProcess();
      running.on("message", (message) => onMessage(message as FromDemo));
      send(running, { kind: "open-lab", seed: options.seed, port });
      return running;
    },
    ready: async (running) => {
      const lab = await labOpened(running);
      port = lab.port;
      seeded = await seedDemo({ ...options, labUrl: lab.url, password });
      send(running, {
        kind: "begin",
        seed: options.seed,
        exchangeUrl: options.exchangeUrl,
        deviceKey: options.deviceKey,
        clickhouseUrl: options.clickhouseUrl,
        sinceMs: seeded.sinceMs,
        historyDays: options.historyDays ?? HISTORY_DAYS,
        revenueSharePpm: options.revenueSharePpm,
        pace: options.pace ?? 1,
        appIds: [...seeded.appIds],
        appKeys: [...seeded.appKeys],
        campaigns: seeded.campaigns,
        inhouse: seeded.inhouse,
        postbacks: {
          campaigns: await options.postbacksOf(seeded.advertiserId),
          inhouse: await options.postbacksOf(seeded.publisher.accountId),
        },
      });
    },
    askToStop: (running) => send(running, { kind: "stop" }),
  });

  return {
    logins: seeded?.logins ?? [],
    progress: () => progress,
    counts: () => counts,
    pid: child.pid,
    async stop() {
      stopping.abort();
      await child.stop();
      await booking;
    },
  };
}

const send = (child: ChildProcess, message: ToDemo): void => {
  if (child.connected) child.send(message, () => {});
};

/** Resolves with the lab's address once the process reports it. */
const labOpened = (child: ChildProcess) =>
  new Promise<Extract<FromDemo, { kind: "lab" }>>((resolve) => {
    child.on("message", (message) => {
      const report = message as FromDemo;
      if (report.kind === "lab") resolve(report);
    });
  });

/** Forks the built `demo.js` beside the server's bundle, or runs the source with tsx. */
function startProcess(): ChildProcess {
  const here = import.meta.url;
  const source = here.endsWith(".ts");
  const execArgv = source ? ["--import", pathToFileURL(createRequire(here).resolve("tsx")).href] : [];
  return fork(fileURLToPath(new URL(source ? "main.ts" : "demo.js", here)), {
    execArgv,
    stdio: ["pipe", "pipe", "pipe", "ipc"],
    env: { PATH: process.env["PATH"], TZ: "UTC" },
  });
}
