import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** As in `npm start`. Every measured process has them, so that a floor is measured under the platform's own conditions. */
export const NODE_ARGS = ["--max-semi-space-size=64"];

/** A child process of the benchmark, so that its CPU time is measured separately. */
export interface Child<Hello> {
  pid: number;
  /** Its first message, sent when it is ready. */
  hello: Hello;
  /** Sends a message and waits for the answer. One at a time. */
  ask<Answer>(question: object): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a program of this folder as a child process and waits for its first message. */
export async function startChild<Hello>(file: string, args: readonly string[]): Promise<Child<Hello>> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, args, {
    execArgv: [...NODE_ARGS, "--import", "tsx"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
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
    const died = (code: number | null) =>
      reject(new Error(`${child.spawnfile} exited with ${code} before it answered`));
    child.once("exit", died);
    child.once("message", (reply) => {
      child.off("exit", died);
      resolve(reply as T);
    });
  });
}

/** Called in a child process: reports that it is ready, answers its parent's messages, and exits with its parent. */
export function serveParent(hello: object, answer?: (question: never) => Promise<object>): void {
  process.on("disconnect", () => process.exit(0));
  if (answer)
    process.on("message", (question) => void answer(question as never).then((reply) => process.send?.(reply)));
  process.send?.(hello);
}
