import type { Pool, PoolClient } from "pg";

/** What a process that was killed does not do any more. */
export class Killed extends Error {}

/** The process that runs a job: it is killed right before or after its statement or order of this number. */
export interface Life {
  steps: number;
  dieAt: number;
  after: boolean;
  isDead: boolean;
}

export const immortal = (): Life => ({ steps: 0, dieAt: 0, after: false, isDead: false });

/** One step of a process; nothing follows on the last one. */
export async function step<T>(life: Life, run: () => Promise<T>): Promise<T> {
  if (life.isDead) throw new Killed();
  life.steps++;
  const isLast = life.steps === life.dieAt;
  life.isDead = isLast;
  if (isLast && !life.after) throw new Killed();
  const result = await run();
  if (isLast) throw new Killed();
  return result;
}

type Query = (text: string, values?: unknown[]) => Promise<unknown>;

/**
 * A pool whose statements are rewritten, as a planted fault has it, and that ends with its process. A transaction of a
 * killed process is rolled back, as PostgreSQL does when its connection closes.
 */
export function mortalPool(pool: Pool, life: Life, rewrite: (text: string) => string = (text) => text): Pool {
  const tapped = <T extends Pool | PoolClient>(of: T): T =>
    new Proxy(of, {
      get(target, name) {
        const query = target.query.bind(target) as unknown as Query;
        if (name === "query")
          return (text: string, values?: unknown[]) =>
            life.isDead && text === "ROLLBACK" ? query(text) : step(life, () => query(rewrite(text), values));
        if (name === "connect") return async () => tapped(await (target as Pool).connect());
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
  return tapped(pool);
}
