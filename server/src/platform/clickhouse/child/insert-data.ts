import type { RawInsertFormat } from "chdb";
import { assertIdentifier, quoted, type Connection } from "./engine.ts";
import { asException, Exception } from "./exception.ts";

export type InsertResult = { rows: number; bytes: number };

/** The engine takes these as bytes and parses them on all its threads. */
const rawFormats = new Set<string>([
  "JSONEachRow",
  "JSONCompactEachRow",
  "CSV",
  "CSVWithNames",
  "TSV",
  "TabSeparated",
  "TSVWithNames",
  "TabSeparatedWithNames",
] satisfies RawInsertFormat[]);
/** Other formats are handed over inside the statement, which only holds text. */
const TEXT_FORMAT = /^(JSON|CSV|TSV|TabSeparated|Values|LineAsString)/;
const statement =
  /^\s*INSERT\s+INTO\s+(?:TABLE\s+)?(?<table>[\w.]+)\s*(?:\((?<columns>[\w\s,]+)\)\s*)?FORMAT\s+(?<format>\w+)\s*$/i;

/**
 * Runs an INSERT with its rows. Settings (a deduplication token above all) go into the statement, where they end with it;
 * set on the connection, a token would silently drop a later insert. Throws Exception.
 */
export async function insertData(
  connection: Connection,
  sql: string,
  data: Buffer,
  settings: ReadonlyMap<string, string>,
): Promise<InsertResult> {
  for (const name of settings.keys()) assertIdentifier(name);
  const parts = statement.exec(sql)?.groups;
  const format = parts?.["format"] ?? /\bFORMAT\s+(\w+)\s*$/i.exec(sql)?.[1] ?? "";
  if (data.length === 0) return { rows: 0, bytes: 0 };
  try {
    if (parts?.["table"] !== undefined && rawFormats.has(format)) {
      const summary = await connection.session.insert({
        table: parts["table"],
        columns: parts["columns"]?.split(",").map((column) => column.trim()),
        format: format as RawInsertFormat,
        settings: Object.fromEntries(settings),
        values: data,
      });
      return { rows: summary.rowsWritten, bytes: summary.bytesWritten };
    }
    if (!TEXT_FORMAT.test(format)) {
      throw new Exception(73, "UNKNOWN_FORMAT", `The embedded store takes rows in text formats only, not in ${format}`);
    }
    const list = [...settings].map(([name, value]) => `${name} = ${quoted(value)}`).join(", ");
    const head = sql.trimEnd().replace(/\bFORMAT\s+\w+$/i, (tail) => (list === "" ? tail : `SETTINGS ${list} ${tail}`));
    await connection.session.queryAsync(`${head}\n${data.toString("utf8")}`);
    return { rows: 0, bytes: data.length };
  } catch (error) {
    throw asException(error);
  }
}
