import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A process of the bench's own: its CPU time is nobody else's. */
export interface Child<Hello> {
  pid: number;
  /** What it said when it was ready. */
  hello: Hello;
  /** Asks it for something and waits for its answer; one question at a time. */
  ask<Answer>(question: object): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a program of this folder as a process and waits for its first message. */
export async function startChild<Hello>(file: string, args: readonly string[]): Promise<Child<Hello>> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, args, { execArgv: ["--import", "tsx"], stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const hello = await message<Hello>(child);
  return {
    pid: child.pid ?? 0,
    hello,
    ask: (question) => {
      const answer = message<never>(child);
      child.send(question);
      return answer;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.disconnect();
      await once(child, "exit");
    },
  };
}

function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const died = (code: number | null) => reject(new Error(`${child.spawnfile} ended with ${code} in mid-work`));
    child.once("exit", died);
    child.once("message", (said) => {
      child.off("exit", died);
      resolve(said as T);
    });
  });
}

/** In a child: says that it is ready, answers its parent's questions, and ends with it. */
export function serveParent(hello: object, answer?: (question: never) => Promise<object>): void {
  process.on("disconnect", () => process.exit(0));
  if (answer) process.on("message", (question) => void answer(question as never).then((said) => process.send?.(said)));
  process.send?.(hello);
}
