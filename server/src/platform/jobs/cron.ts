/** The fields of a cron line, with their least and greatest values. */
const FIELDS = [
  ["minute", 0, 59],
  ["hour", 0, 23],
  ["day of the month", 1, 31],
  ["month", 1, 12],
  ["day of the week", 0, 6],
] as const;

/** Says whether a moment's minute, in UTC, is one that the line names. */
export type Cron = (epochMs: number) => boolean;

/**
 * Reads `minute hour day month weekday`: `*`, numbers, ranges, lists and steps; 0 is Sunday. As in cron(8), a day fits by
 * either of its two fields where both are given. Throws RangeError for any other line.
 */
export function parseCron(line: string): Cron {
  const fields = line.trim().split(/\s+/);
  if (fields.length !== FIELDS.length) throw new RangeError(`"${line}" is no cron line of five fields`);
  const sets = FIELDS.map(([name, least, greatest], at) => {
    const set = valuesOf(fields[at] ?? "", least, greatest);
    if (!set) throw new RangeError(`"${fields[at]}" is no ${name} of a cron line`);
    return set;
  });
  const anyDay = fields[2] === "*" || fields[4] === "*";
  return (epochMs) => {
    const at = new Date(epochMs);
    const now = [at.getUTCMinutes(), at.getUTCHours(), at.getUTCDate(), at.getUTCMonth() + 1, at.getUTCDay()];
    const [minute, hour, day, month, weekday] = sets.map((set, nth) => set.has(now[nth] ?? -1));
    const fits = anyDay ? day === true && weekday === true : day === true || weekday === true;
    return minute === true && hour === true && month === true && fits;
  };
}

function valuesOf(field: string, least: number, greatest: number): Set<number> | null {
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const read = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
    if (!read) return null;
    const [, first, last, every] = read;
    const from = first === undefined ? least : Number(first);
    const step = every === undefined ? 1 : Number(every);
    const to = last === undefined ? (first === undefined || every !== undefined ? greatest : from) : Number(last);
    if (from < least || to > greatest || from > to || step < 1) return null;
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return values;
}
