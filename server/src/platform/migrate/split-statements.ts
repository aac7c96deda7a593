/** The pieces of a SQL text. Strings, quoted names and comments are one each, so that their semicolons end no statement. */
const PIECES =
  /'(?:[^'\\]|\\[\s\S]|'')*'|`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\]|\\[\s\S])*"|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'`"\-/;]+|[-/]/g;

/**
 * The statements of a SQL file, without the comments between them and without semicolons. ClickHouse takes one at a
 * time.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let current = "";
  for (const [piece] of sql.matchAll(PIECES)) {
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
