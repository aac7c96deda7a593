import { sleep } from "../../waiting.ts";
import type { Connection, Engine } from "./engine.ts";

/**
 * Kills what runs on the connection once the signal aborts, again and again until the returned function is called: a kill
 * that comes before the engine has registered the query is lost. The function resolves when no kill is under way any more,
 * so that none can hit the connection's next query.
 */
export function killOnAbort(engine: Engine, connection: Connection, aborted: AbortSignal): () => Promise<void> {
  const over = new AbortController();
  let killing: Promise<void> | undefined;
  const kill = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await engine.kill(connection);
      await sleep(50, over.signal);
    }
  };
  const begin = (): void => void (killing = kill());
  if (aborted.aborted) begin();
  else aborted.addEventListener("abort", begin, { once: true });
  return async () => {
    over.abort();
    aborted.removeEventListener("abort", begin);
    await killing;
  };
}
