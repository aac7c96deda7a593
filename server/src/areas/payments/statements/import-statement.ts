import {
  type Body,
  MOST_LISTED_DAYS,
  MOST_LISTED_ERRORS,
  type NamedApp,
  type Reply,
  type StatedDay,
  type StatementPreview,
  type importStatement as importCall,
  type previewStatement as previewCall,
} from "@millrace/contract";
import { createHash } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { Problem } from "../../../platform/http/problem.ts";
import { inTransaction } from "../../../platform/postgres/in-transaction.ts";
import { type By, recordAct } from "../../audit/index.ts";
import { type Cell, keyOf } from "./cells.ts";
import {
  type CheckedStatement,
  type StatementDeps,
  assertPartner,
  checkStatement,
  rangeOf,
} from "./check-statement.ts";
import { type Compared, compareStatement } from "./compare-statement.ts";
import { hoursAround } from "./counted-days.ts";
import { columnsOf } from "./parse-statement.ts";
import { settlePartner } from "./settle-statements.ts";

/** Reads a statement and says what it would change, or what is wrong with it. Nothing is kept. */
export async function previewStatement(
  deps: StatementDeps,
  { mapping, ...input }: Body<typeof previewCall>,
): Promise<StatementPreview> {
  if (mapping === null) {
    await assertPartner(deps.pool, input.partner);
    const { columns, errors } = columnsOf(input.content);
    if (errors[0]) throw new Problem("unprocessable", { content: sentenceOf(errors) });
    return { columns, check: null };
  }
  const checked = await checkStatement(deps, { ...input, mapping });
  const { columns, lines, errors, cells, booked } = checked;
  const { added, restated, unchanged } = await compareStatement(deps.pool, { ...input, mapping }, cells);
  const range = rangeOf(cells.map(({ day }) => day));
  const changed = [...added.map((cell) => ({ ...cell, beforeMicros: null })), ...restated];
  return {
    columns,
    check: {
      lines,
      errors: errors.slice(0, MOST_LISTED_ERRORS),
      errors_count: errors.length,
      first_day: range?.ds ?? null,
      last_day: range?.de ?? null,
      reported: Number(sumOf(cells)),
      estimated: Number(cells.reduce((sum, cell) => sum + bookedOf(checked, cell), 0n)),
      added: added.length,
      restated: restated.length,
      unchanged,
      days: await namedDays(deps.pool, changed.slice(0, MOST_LISTED_DAYS), booked),
    },
  };
}

async function namedDays(
  pool: Pool,
  cells: readonly (Cell & { beforeMicros: bigint | null })[],
  booked: ReadonlyMap<string, bigint>,
): Promise<StatedDay[]> {
  const { rows } = await pool.query<NamedApp & { id: number }>(
    "SELECT id, uuid, name, platform FROM apps WHERE id = ANY($1)",
    [[...new Set(cells.map(({ appId }) => appId))]],
  );
  const apps = new Map(rows.map(({ id, ...app }) => [id, app]));
  return cells.flatMap(({ day, appId, impressions, reportedMicros, beforeMicros }) => {
    const app = apps.get(appId);
    return app === undefined
      ? []
      : [
          {
            day,
            app,
            impressions,
            reported: Number(reportedMicros),
            before: beforeMicros === null ? null : Number(beforeMicros),
            estimated: Number(booked.get(keyOf(day, appId)) ?? 0n),
          },
        ];
  });
}

const sumOf = (cells: readonly Cell[]): bigint => cells.reduce((sum, { reportedMicros }) => sum + reportedMicros, 0n);
const bookedOf = ({ booked }: CheckedStatement, { day, appId }: Cell): bigint => booked.get(keyOf(day, appId)) ?? 0n;

/** The first fault with its line and field, and how many more there are. */
function sentenceOf(errors: CheckedStatement["errors"]): string {
  const [first] = errors;
  if (!first) return "";
  const more = errors.length === 1 ? "" : ` (and ${errors.length - 1} more)`;
  return `Line ${first.line}, ${first.field}: ${first.message}${more}`;
}

/** Who imports: an admin by a call, or the demo in an admin's name. */
export interface Importer extends Partial<By> {
  userId: number;
}

/**
 * Keeps a partner's statement and books what it changes, all of it or nothing. The same content, read the same way, is imported once,
 * and again only if another statement has changed what it says in the meantime. Problem `unprocessable` naming the first faulty line
 * and its field, or `cause` if it restates something without saying why.
 */
export async function importStatement(
  deps: StatementDeps,
  by: Importer,
  { cause, file_name: fileName, ...input }: Body<typeof importCall>,
): Promise<Reply<typeof importCall>> {
  const checked = await checkStatement(deps, input);
  if (checked.errors.length > 0) throw new Problem("unprocessable", { content: sentenceOf(checked.errors) });
  const range = rangeOf(checked.cells.map(({ day }) => day));
  if (range === null) throw new Error("a statement without a fault has lines");
  const hours = await deps.partnerHours(input.partner, hoursAround(range));
  const at = new Date(deps.clock.now());
  return inTransaction(deps.pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('statements', 0))");
    const compared = await compareStatement(client, input, checked.cells);
    const hash = hashOf(input);
    const known = await client.query<{ uuid: string; newest: string }>(
      "SELECT uuid, (SELECT max(id) FROM statements) AS newest FROM statements WHERE content_hash = $1",
      [hash],
    );
    const [before] = known.rows;
    if (before && compared.added.length + compared.restated.length === 0)
      return { uuid: before.uuid, is_new: false, changed: 0 };
    if (compared.restated.length > 0 && cause === null)
      throw new Problem("unprocessable", { cause: "Say why it differs from the earlier statement" });
    const { id, uuid } = await insertStatement(client, {
      ...input,
      ...range,
      // Each import is a row of its own, also of content that was imported before.
      hash: before ? createHash("sha256").update(hash).update(before.newest).digest() : hash,
      at,
      fileName,
      userId: by.userId,
      cause: compared.restated.length > 0 ? cause : null,
      checked,
      compared,
    });
    await insertDays(client, id, compared);
    await settlePartner(deps, client, { partner: input.partner, range, hours, at });
    const changed = compared.added.length + compared.restated.length;
    await recordAct({ pool: client, clock: deps.clock }, by, {
      action: "statement_imported",
      subject: uuid,
      userId: by.userId,
      details: { partner: input.partner, changed },
    });
    return { uuid, is_new: true, changed };
  });
}

function hashOf({
  partner,
  mapping,
  rate,
  shown_rate: shownRate,
  content,
}: Omit<Body<typeof importCall>, "cause" | "file_name">): Buffer {
  const read = Object.entries(mapping).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([partner, read, rate, shownRate]))
    .update(content)
    .digest();
}

interface NewStatement extends Omit<Body<typeof importCall>, "cause" | "file_name"> {
  hash: Buffer;
  ds: string;
  de: string;
  at: Date;
  fileName: string;
  userId: number;
  cause: Body<typeof importCall>["cause"];
  checked: CheckedStatement;
  compared: Compared;
}

async function insertStatement(client: PoolClient, statement: NewStatement): Promise<{ id: string; uuid: string }> {
  const { checked, compared } = statement;
  const { added, restated, unchanged } = compared;
  const changedBy =
    added.reduce((sum, cell) => sum + cell.reportedMicros - bookedOf(checked, cell), 0n) +
    restated.reduce((sum, { reportedMicros, beforeMicros }) => sum + reportedMicros - beforeMicros, 0n);
  const { rows } = await client.query<{ id: string; uuid: string }>(
    `INSERT INTO statements (partner_id, content_hash, file_name, mapping, rate, shown_rate, cause, imported_at, imported_by, first_day,
       last_day, reported_micros, added, restated, unchanged, changed_by_micros)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) RETURNING id, uuid`,
    [
      statement.partner,
      statement.hash,
      statement.fileName,
      JSON.stringify(statement.mapping),
      statement.rate,
      statement.shown_rate,
      statement.cause,
      statement.at,
      statement.userId,
      statement.ds,
      statement.de,
      sumOf(checked.cells).toString(),
      added.length,
      restated.length,
      unchanged,
      changedBy.toString(),
    ],
  );
  const [row] = rows;
  if (!row) throw new Error("an insert gives its row back");
  return row;
}

async function insertDays(client: PoolClient, statementId: string, { added, restated }: Compared): Promise<void> {
  const cells = [...added.map((cell) => ({ ...cell, beforeMicros: null })), ...restated];
  await client.query(
    `INSERT INTO statement_days (statement_id, day, app_id, impressions, reported_micros, shown_micros, before_micros)
     SELECT $1, * FROM unnest($2::date[], $3::integer[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])`,
    [
      statementId,
      cells.map(({ day }) => day),
      cells.map(({ appId }) => appId),
      cells.map(({ impressions }) => impressions),
      cells.map(({ reportedMicros }) => reportedMicros.toString()),
      cells.map(({ shownMicros }) => shownMicros.toString()),
      cells.map(({ beforeMicros }) => beforeMicros?.toString() ?? null),
    ],
  );
}
