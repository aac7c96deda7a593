import { Exception } from "./exception.ts";

/**
 * The words of a ClickHouse statement in order: keywords and identifiers without their quotes (upper case kept), and
 * punctuation one by one. Comments are left out and a string literal is the word `'`, so nothing that is data can look like SQL.
 */
export function sqlWords(sql: string): string[] {
  const words: string[] = [];
  token.lastIndex = 0;
  for (let found = token.exec(sql); found !== null; found = token.exec(sql)) {
    const text = found[0];
    const first = text.charAt(0);
    if (found.groups?.["skip"] !== undefined) continue;
    if (first === "`" || first === '"') words.push(text.slice(1, -1));
    else words.push(found.groups?.["string"] === undefined ? text : "'");
  }
  return words;
}

const token = new RegExp(
  [
    String.raw`(?<skip>\s+|--[^\n]*|#[ !][^\n]*|/\*[\s\S]*?(?:\*/|$))`,
    String.raw`(?<string>'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|\$(?<tag>\w*)\$[\s\S]*?(?:\$\k<tag>\$|$))`,
    "`(?:[^`\\\\]|\\\\[\\s\\S]|``)*(?:`|$)",
    String.raw`"(?:[^"\\]|\\[\s\S]|"")*(?:"|$)`,
    String.raw`[\p{L}_][\p{L}\p{N}_$]*`,
    String.raw`[\p{N}][\p{L}\p{N}_.]*`,
    String.raw`[\s\S]`,
  ].join("|"),
  "uy",
);

export type StatementKind = "read" | "insert-data" | "other";

const readVerbs = new Set(["SELECT", "WITH", "SHOW", "DESCRIBE", "DESC", "EXPLAIN", "EXISTS", "("]);

/** What a statement is: one that reads, an INSERT whose rows follow in the body (it ends in `FORMAT <name>`), or another. */
export function statementKind(words: readonly string[]): StatementKind {
  const verb = words[0]?.toUpperCase() ?? "";
  if (readVerbs.has(verb)) return "read";
  const beforeLast = words.at(-2)?.toUpperCase();
  return verb === "INSERT" && beforeLast === "FORMAT" && !words.some((word) => word.toUpperCase() === "SELECT")
    ? "insert-data"
    : "other";
}

/**
 * Why a statement is refused before the engine sees it, undefined when it is not. The engine runs as a local program, so
 * it would write INTO OUTFILE, read FROM INFILE and run several statements, which a ClickHouse server refuses over HTTP;
 * and `file` reads any file of the machine even where `readonly=1` is set, also where it is only named (`arrayMap(file, …)`).
 */
export function refusal(words: readonly string[], readonly: boolean): Exception | undefined {
  if (readonly && statementKind(words) !== "read") {
    return new Exception(164, "READONLY", "Cannot execute query in readonly mode");
  }
  const upper = words.map((word) => word.toUpperCase());
  const why = upper.map((word, index) => {
    const next = upper[index + 1];
    if (word === ";" && next !== undefined) return "Multi-statements are not allowed";
    if (word === "INTO" && next === "OUTFILE") return "INTO OUTFILE is not allowed";
    if (word === "FROM" && next === "INFILE") return "FROM INFILE is not allowed";
    if (readonly && word === "FILE")
      return "The name file is not allowed in readonly mode: it is a function that reads files";
    return undefined;
  });
  const first = why.find((text) => text !== undefined);
  return first === undefined ? undefined : new Exception(62, "SYNTAX_ERROR", first);
}
