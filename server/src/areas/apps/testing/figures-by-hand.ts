import { addDays } from "@millrace/units";
import {
  type Asked,
  type By,
  type Counted,
  type RawRows,
  askedRows,
  countByHand,
  countLabels,
} from "./count-by-hand.ts";
import { nothingOf } from "./figures-agree.ts";

/** The compared dates: as many days as `days` before the asked ones, up to a moment if the last day still runs. */
interface Compared {
  ds: string;
  de: string;
  days: number;
  untilMs: number | null;
}

/** What counting by hand says of a question. Rows are selected, and each group is counted, once. */
export function figuresByHand(all: RawRows, asked: Asked, compared: Compared) {
  const { ds, de, untilMs, days } = compared;
  const rows = {
    now: once(() => askedRows(all, asked)),
    last: once(() => askedRows(all, { ...asked, ds, de, untilMs })),
    lastWhole: once(() => askedRows(all, { ...asked, ds, de, untilMs: null })),
  };
  const counted = new Map<string, Map<string, Counted>>();
  const count = (of: keyof typeof rows, by: By) => {
    const known = counted.get(`${of} ${by}`) ?? countByHand(rows[of](), asked, by);
    counted.set(`${of} ${by}`, known);
    return known;
  };
  const last = (by: By) => count("last", by);
  const nothing = nothingOf(asked);
  return {
    compared,
    groups: (by: By) => count("now", by),
    all: () => count("now", "all").get("all") ?? nothing,
    /** Days are those of the range at the same place. */
    lastGroups: (by: By) =>
      by === "date" ? new Map([...last(by)].map(([day, figures]) => [addDays(day, days), figures])) : last(by),
    last: () => last("all").get("all") ?? nothing,
    /** Of the compared period from a moment, to where it ends. */
    lastSince: (date: string) => last(date.length > 10 ? "hour" : "date").get(date),
    labels: (label: "sdk" | "noAd") => ({
      now: countLabels(all, rows.now(), label),
      last: countLabels(all, rows.last(), label),
    }),
    lastWhole: (by: By) => count("lastWhole", by),
    until: untilMs === null ? null : new Date(untilMs).toISOString(),
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
