const SHOWN = 3;

/** The first names, and how many more: `Moss, Fern and 2 more`. */
export function namesText(names: readonly string[]): string {
  const first = names.slice(0, SHOWN);
  const rest = names.length - first.length;
  return rest > 0 ? `${first.join(", ")} and ${rest} more` : first.join(", ");
}
