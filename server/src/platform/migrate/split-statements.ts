/** Strings, quoted names and comments, in which a semicolon ends nothing. */
const closed =
  /'(?:[^'\\]|\\[\s\S]|'')*'|`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\]|\\[\s\S])*"|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'`"\-/;]+|[-/]/g;

/** The statements of a SQL file, without comments between them and without their semicolons. ClickHouse takes one at a time. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let current = "";
  for (const [piece] of sql.matchAll(closed)) {
    if (piece.startsWith("--") || piece.startsWith("/*")) current += " ";
    else if (piece !== ";") current += piece;
    else {
      statements.push(current.trim());
      current = "";
    }
  }
  statements.push(current.trim());
  return statements.filter((statement) => statement !== "");
}
