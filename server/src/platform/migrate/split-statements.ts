/** Strings, quoted names and comments, whose semicolons do not end a statement. */
const closed =
  /'(?:[^'\\]|\\[\s\S]|'')*'|`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\]|\\[\s\S])*"|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'`"\-/;]+|[-/]/g;

/**
 * The statements of a SQL file, without the comments between them and without semicolons. ClickHouse takes one at a
 * time.
 */
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
