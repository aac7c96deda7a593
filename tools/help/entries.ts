/** Something that the help explains at an anchor of its own. */
export interface Entry {
  /** The anchor. */
  id: string;
  title: string;
  text: string;
}

/** Entries as Markdown: a heading with its anchor, and the explanation. */
export const entriesPage = (entries: readonly Entry[]): string =>
  entries.map(({ id, title, text }) => `### ${literal(title)} {#${id}}\n\n${text}\n`).join("\n");

/** A table of Markdown; `|` in a cell would end it. */
export function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A text that stands as it is, and is no Markdown. */
export const literal = (text: string): string => text.replaceAll(/[<>&{}[\]*_`|\\#]/g, "\\$&");
