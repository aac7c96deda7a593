import type { ChildProcess } from "node:child_process";
import type { ProcessReport, Processes } from "./platform/http/health.ts";

// The processes of a platform ask each other through the one that started them: `/readyz` and `/metrics` reach any of them.

type Reports = [name: string, report: ProcessReport | null][];

type Message =
  | { ask: "all" | "one"; id: number }
  | { reply: "one"; id: number; report: ProcessReport }
  | { reply: "all"; id: number; reports: Reports };

/** A process that takes longer counts as down. */
const ANSWER_MS = 3000;
/** The others are waited for meanwhile. */
const ALL_MS = ANSWER_MS + 1000;

/** In the process that starts the others: collects their reports. */
export class ReportCollector {
  /** By name; undefined between an end and the next start. */
  readonly #children = new Map<string, ChildProcess | undefined>();
  readonly #waiting = new Map<number, (report: ProcessReport) => void>();
  #asked = 0;

  /** The processes that are to be started. */
  constructor(names: readonly string[]) {
    for (const name of names) this.#children.set(name, undefined);
  }

  /** Adds a process, or replaces the one of this name that has ended. */
  add(name: string, child: ChildProcess): void {
    this.#children.set(name, child);
    child.once("exit", () => {
      if (this.#children.get(name) === child) this.#children.set(name, undefined);
    });
    child.on("message", (message: Message | string) => {
      if (typeof message === "string") return;
      if ("reply" in message && message.reply === "one") this.#waiting.get(message.id)?.(message.report);
      if ("ask" in message && message.ask === "all") {
        void this.#all().then((reports) => send(child, { reply: "all", id: message.id, reports }));
      }
    });
  }

  #all(): Promise<Reports> {
    const reports = [...this.#children].map(async ([name, child]): Promise<Reports[number]> => {
      return [name, child ? await this.#reportOf(child) : null];
    });
    return Promise.all(reports);
  }

  async #reportOf(child: ChildProcess): Promise<ProcessReport | null> {
    const id = this.#asked++;
    const report = await awaitAnswer<ProcessReport>(ANSWER_MS, (resolve) => {
      this.#waiting.set(id, resolve);
      send(child, { ask: "one", id });
    });
    this.#waiting.delete(id);
    return report;
  }
}

/** In a process that another one has started. */
export function otherProcesses(): Processes {
  const waiting = new Map<number, (reports: Reports) => void>();
  let lastId = 0;
  let ownReport: (() => Promise<ProcessReport>) | undefined;
  process.on("message", (message: Message) => {
    if ("reply" in message && message.reply === "all") waiting.get(message.id)?.(message.reports);
    if ("ask" in message && message.ask === "one") {
      // Without a report, the process counts as down.
      ownReport?.().then(
        (report) => send(process, { reply: "one", id: message.id, report }),
        () => undefined,
      );
    }
  });
  return {
    answerWith: (report) => (ownReport = report),
    async reports() {
      const id = lastId++;
      const reports = await awaitAnswer<Reports>(ALL_MS, (resolve) => {
        waiting.set(id, resolve);
        send(process, { ask: "all", id });
      });
      waiting.delete(id);
      return reports && new Map(reports);
    },
  };
}

function send(to: Pick<ChildProcess, "connected"> & { send?: ChildProcess["send"] }, message: Message): void {
  // A process that ends meanwhile does not answer.
  if (to.connected) to.send?.(message, () => undefined);
}

/** Null if there is no answer in time. */
async function awaitAnswer<T>(withinMs: number, ask: (resolve: (answer: T) => void) => void): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), withinMs);
  });
  const answer = await Promise.race([new Promise<T>(ask), late]);
  clearTimeout(timer);
  return answer;
}
