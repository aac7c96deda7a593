import type { Pool } from "pg";
import type { z } from "zod";

/**
 * A table that a job has learned and published, in memory. Until it is read, it knows nothing. It is replaced as a whole, and is not part
 * of the configuration's version: what auctions draw from it stands in their traces.
 */
export class LearnedTable<T> {
  readonly #pool: Pool;
  readonly #name: string;
  readonly #content: z.ZodType<Record<string, T>>;
  #version = "";
  #entries: ReadonlyMap<string, T> = new Map();

  constructor(pool: Pool, name: string, content: z.ZodType<Record<string, T>>) {
    this.#pool = pool;
    this.#name = name;
    this.#content = content;
  }

  /** Reads the table if there is another version. Rejects if it cannot be read; what was known holds on. */
  async refresh(): Promise<void> {
    const { rows } = await this.#pool.query<{ version: string; content: unknown }>(
      "SELECT version, content FROM learned_tables WHERE name = $1 AND version <> $2",
      [this.#name, this.#version],
    );
    const [row] = rows;
    if (!row) return;
    this.#entries = new Map(Object.entries(this.#content.parse(row.content)));
    this.#version = row.version;
  }

  /** Undefined where nothing is learned. */
  of(id: string): T | undefined {
    return this.#entries.get(id);
  }
}
