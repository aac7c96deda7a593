import type { Skips } from "@millrace/learning";
import type { Pool } from "pg";
import { z } from "zod";
import { SKIP_TABLE } from "../../apps/index.ts";

const Content = z.record(z.string(), z.record(z.string(), z.boolean()));

/** Where partners are predicted not to bid, in memory. Until it is read, it knows nothing, and all partners are asked. */
export class LearnedSkips {
  readonly #pool: Pool;
  #version = "";
  #byPartner: ReadonlyMap<string, Skips> = new Map();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Reads the table if there is another version. Rejects if it cannot be read; what was known holds on. */
  async refresh(): Promise<void> {
    const { rows } = await this.#pool.query<{ version: string; content: unknown }>(
      "SELECT version, content FROM learned_tables WHERE name = $1 AND version <> $2",
      [SKIP_TABLE, this.#version],
    );
    const [row] = rows;
    if (!row) return;
    this.#byPartner = new Map(Object.entries(Content.parse(row.content)));
    this.#version = row.version;
  }

  /** Undefined for a partner that is asked everywhere. */
  of(partnerId: string): Skips | undefined {
    return this.#byPartner.get(partnerId);
  }
}
