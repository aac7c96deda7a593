import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Pool } from "pg";
import { findMail } from "../../../platform/mail/index.ts";

/**
 * Every place that contains one of the words: rows of all PostgreSQL tables, including jobs, and mails, raw and
 * decoded. Ignores case.
 */
export async function tracesOf(pool: Pool, mailDir: string, words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const tables = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  for (const { name } of tables.rows) {
    const { rows } = await pool.query<{ row: string }>(
      `SELECT t::text AS row FROM ${name} t
       WHERE EXISTS (SELECT FROM unnest($1::text[]) word WHERE strpos(lower(t::text), lower(word)) > 0)`,
      [words],
    );
    found.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  for (const file of await readdir(mailDir)) {
    const read = await findMail(mailDir, file.replace(/\.\w+$/, ""));
    const said = `${await readFile(join(mailDir, file), "utf8")}\n${JSON.stringify(read)}`.toLowerCase();
    if (words.some((word) => said.includes(word.toLowerCase()))) found.push(`mail: ${said}`);
  }
  return found;
}
