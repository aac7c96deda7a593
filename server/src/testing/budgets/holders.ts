import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { FastClock } from "./fast-clock.ts";
import type { FromHolder, Orders, ToHolder } from "./fixtures/hold-and-spend.ts";

const PROGRAM = fileURLToPath(new URL("fixtures/hold-and-spend.ts", import.meta.url));

/** A process that holds and spends. */
export interface Holder {
  /** What it last said. */
  counts: Omit<Extract<FromHolder, { kind: "counts" }>, "kind">;
  kill(): Promise<void>;
}

/** Processes that hold and spend, and get each other's impressions. */
export class Holders {
  readonly all: Holder[] = [];
  readonly #orders: Omit<Orders, "mostHolds">;
  readonly #running = new Set<ChildProcess>();
  #clock: FastClock | undefined;

  constructor(orders: Omit<Orders, "mostHolds">) {
    this.#orders = orders;
  }

  /** Starts a process that stops by itself after so many holds. */
  async start(mostHolds = Number.MAX_SAFE_INTEGER): Promise<Holder> {
    const orders: Orders = { ...this.#orders, mostHolds };
    const child = fork(PROGRAM, [JSON.stringify(orders)], { execArgv: ["--import", "tsx"] });
    const holder: Holder = {
      counts: { holds: 0, lacks: 0, billedMicros: 0, refused: 0, isOver: false },
      kill: async () => {
        this.#running.delete(child);
        child.kill("SIGKILL");
        await once(child, "exit");
      },
    };
    await new Promise<void>((resolve, reject) => {
      child.once("exit", (code) => {
        this.#running.delete(child);
        reject(new Error(`a process ended with ${code}`));
      });
      child.on("message", (message: FromHolder) => {
        if (message.kind === "ready") resolve();
        else if (message.kind === "counts") holder.counts = message;
        else this.#passOn(child, { spend: message.spends });
      });
    });
    this.all.push(holder);
    this.#running.add(child);
    if (this.#clock) child.send({ begin: this.#clock } satisfies ToHolder);
    return holder;
  }

  /** Sets the clock of all processes, and lets them begin. */
  begin(clock: FastClock): void {
    this.#clock = clock;
    for (const child of this.#running) child.send({ begin: clock } satisfies ToHolder);
  }

  #passOn(from: ChildProcess, message: ToHolder): void {
    const others = [...this.#running].filter((child) => child !== from && child.connected);
    others[Math.floor(Math.random() * others.length)]?.send(message);
  }

  /** Lets all of them end in order. */
  async stop(): Promise<void> {
    const children = [...this.#running];
    const ends = children.map((child) => once(child, "exit"));
    for (const child of children) child.send({ stop: true } satisfies ToHolder);
    await Promise.all(ends);
  }

  /** Ends what is left. */
  kill(): void {
    for (const child of this.#running) child.kill("SIGKILL");
  }
}
