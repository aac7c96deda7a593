const types: [RegExp, string][] = [
  [/^JSON(?:Strings|Compact|CompactStrings)?EachRow/, "application/x-ndjson; charset=UTF-8"],
  [/^JSON/, "application/json; charset=UTF-8"],
  [/^CSV/, "text/csv; charset=UTF-8; header=absent"],
  [/^(?:TSV|TabSeparated)/, "text/tab-separated-values; charset=UTF-8"],
  [/^(?:Pretty|Vertical|Values|Line|XML|Markdown)/, "text/plain; charset=UTF-8"],
];

/** The content type ClickHouse sends with a format. */
export function contentType(format: string): string {
  return types.find(([shape]) => shape.test(format))?.[1] ?? "application/octet-stream";
}

/** The format a statement asks for, or the default one. */
export function outputFormat(words: readonly string[], fallback: string): string {
  const at = words.findLastIndex(
    (word, index) => word.toUpperCase() === "FORMAT" && /^\w+$/.test(words[index + 1] ?? ""),
  );
  return (at > 0 ? words[at + 1] : undefined) ?? fallback;
}

/**
 * Whether the result can be sent while it is made: the engine streams SELECT alone, and its chunks join to one whole only in
 * formats of lines (in `JSON` each chunk would be a document).
 */
export function isStreamable(words: readonly string[], format: string): boolean {
  const verb = words[0]?.toUpperCase();
  if (verb !== "SELECT" && verb !== "WITH") return false;
  return /^(?:JSON(?:Strings|Compact|CompactStrings)?EachRow|CSV|TSV|TabSeparated|LineAsString)/.test(format);
}
