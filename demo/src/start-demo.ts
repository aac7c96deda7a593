import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Pool } from "pg";
import type { Log } from "../../server/src/platform/log.ts";
import { supervise } from "../../server/src/platform/supervise.ts";
import type { FromDemo, ToDemo } from "./messages.ts";
import { seedDemo } from "./seed-demo.ts";
import type { DemoLogin, SeededDemo } from "./seed-demo.ts";

export interface DemoOptions {
  pool: Pool;
  /** As `connectClickHouse` takes it. */
  clickhouseUrl: string;
  /** Where devices reach the exchange from this machine. */
  exchangeUrl: string;
  /** With it the exchange believes a device's word on its address. */
  deviceKey: string;
  seed: string;
  /** Of the three logins; a new random one at each start when absent. */
  password?: string | undefined;
  hashPassword(password: string): Promise<string>;
  /** The publisher's share of the price, in millionths. */
  revenueSharePpm: number;
  log: Log;
  historyDays?: number;
  /** How many times as many people as history knows come to the apps. */
  pace?: number;
  onHistoryProgress?: (share: number) => void;
}

export interface Demo {
  logins: DemoLogin[];
  /** How much of the history is written, 0 to 1. */
  progress(): number;
  /** What the devices have done so far. */
  counts(): Extract<FromDemo, { kind: "counts" }> | undefined;
  /** Of the demo's own process; undefined while it is being started again. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

/** No letters that are mistaken for others. */
const PASSWORD_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";

/**
 * Brings the demo to life: seeds the stores (once), opens the lab, and starts the traffic and the writing of history in a
 * process of their own, which is started again if it dies. Call it when the exchange listens.
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { log } = options;
  const password =
    options.password ?? Array.from({ length: 12 }, () => PASSWORD_LETTERS[randomInt(PASSWORD_LETTERS.length)]).join("");
  let seeded: SeededDemo | undefined;
  let progress = 0;
  let counts: Extract<FromDemo, { kind: "counts" }> | undefined;
  let port = 0;

  const hear = (message: FromDemo) => {
    if (message.kind === "history") {
      progress = message.progress;
      options.onHistoryProgress?.(progress);
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
      running.on("message", (message) => hear(message as FromDemo));
      send(running, { kind: "open-lab", seed: options.seed, port });
      return running;
    },
    ready: async (running) => {
      const lab = await labOf(running);
      port = lab.port;
      seeded = await seedDemo({ ...options, labUrl: lab.url, password });
      send(running, {
        kind: "begin",
        seed: options.seed,
        exchangeUrl: options.exchangeUrl,
        deviceKey: options.deviceKey,
        clickhouseUrl: options.clickhouseUrl,
        sinceMs: seeded.sinceMs,
        historyDays: options.historyDays ?? 90,
        revenueSharePpm: options.revenueSharePpm,
        pace: options.pace ?? 1,
        appIds: [...seeded.appIds],
        appKeys: [...seeded.appKeys],
      });
    },
    askToStop: (running) => send(running, { kind: "stop" }),
  });

  return {
    logins: seeded?.logins ?? [],
    progress: () => progress,
    counts: () => counts,
    pid: child.pid,
    stop: child.stop,
  };
}

const send = (child: ChildProcess, message: ToDemo): void => {
  if (child.connected) child.send(message, () => {});
};

/** The lab's address, as soon as the process tells it. */
const labOf = (child: ChildProcess) =>
  new Promise<Extract<FromDemo, { kind: "lab" }>>((resolve) => {
    child.on("message", (message) => {
      const said = message as FromDemo;
      if (said.kind === "lab") resolve(said);
    });
  });

/** The built platform has the process's file beside itself; the source is run through tsx. */
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
