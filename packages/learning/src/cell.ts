/** The kind of ad request that something is learned for. */
export interface Cell {
  format: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  platform: string;
}

/** Everything. */
export const ROOT = "";

/** The names of the groups that a cell belongs to, from the widest to itself. No name is a name of another level's group. */
export function groupsOf({ format, country, platform }: Cell): [string, string, string] {
  const place = `${format}/${country}`;
  return [ROOT, place, `${place}/${platform}`];
}

/** What is known of the narrowest group that has an entry; undefined if not even the widest has one. */
export function narrowest<T>(known: Readonly<Record<string, T>>, groups: readonly string[]): T | undefined {
  const group = groups.findLast((name) => Object.hasOwn(known, name));
  return group === undefined ? undefined : known[group];
}
