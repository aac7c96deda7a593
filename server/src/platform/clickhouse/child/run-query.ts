import type { Connection } from "./engine.ts";
import { assertIdentifier, isBaseline, run, setStatement } from "./engine.ts";
import { asException, Exception } from "./exception.ts";
import type { QueryRequest } from "./read-request.ts";

/** The settings of a request that the connection does not have anyhow. */
export function customSettings(request: QueryRequest, readonly: boolean): Map<string, string> {
  const custom = [...request.settings].filter(([name, value]) => !isBaseline(name, value, readonly));
  for (const [name] of custom) assertIdentifier(name);
  return new Map(custom);
}

/** Puts the request's database, parameters and settings on the connection. Throws Exception. */
export async function prepare(
  connection: Connection,
  request: QueryRequest,
  words: readonly string[],
  options: { settings: ReadonlyMap<string, string>; readonly: boolean },
): Promise<void> {
  const { settings, readonly } = options;
  if (connection.database !== request.database) {
    await run(connection, `USE \`${request.database.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``);
    connection.database = request.database;
  }
  const bound = new Set(request.params.map(([name]) => name));
  for (const stale of connection.boundBefore) {
    // A parameter stays on its connection: a query that forgot to bind it must not get an older request's value.
    if (!bound.has(stale) && mentionsParameter(words, stale)) {
      throw new Exception(456, "UNKNOWN_QUERY_PARAMETER", `Substitution \`${stale}\` is not set`);
    }
  }
  for (const name of bound) assertIdentifier(name);
  const values = [...request.params.map(([name, value]) => [`param_${name}`, value] as const), ...settings];
  if (readonly && !connection.readonly) values.push(["readonly", "1"]);
  if (values.length === 0) return;
  for (const name of bound) connection.boundBefore.add(name);
  await run(connection, setStatement(values));
}

function mentionsParameter(words: readonly string[], name: string): boolean {
  return words.some((word, index) => word === "{" && words[index + 1] === name && words[index + 2] === ":");
}

/** Runs a statement and hands its output over in pieces, or as one where it cannot be cut. Throws Exception. */
export async function* runQuery(
  connection: Connection,
  sql: string,
  output: { format: string; stream: boolean },
): AsyncGenerator<Uint8Array> {
  const { format, stream } = output;
  try {
    if (!stream) {
      const result = await connection.session.queryAsync(sql, { format });
      yield result.bytes();
      return;
    }
    for await (const chunk of connection.session.queryStream(sql, { format })) yield chunk.raw();
  } catch (error) {
    throw asException(error);
  }
}
