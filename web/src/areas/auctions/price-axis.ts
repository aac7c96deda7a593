export type AxisKind = "log" | "linear";

export interface PriceAxis {
  /** The place of a CPM, in percent of the axis. */
  placeOf(micros: number): number;
  /** Round CPMs that lie on the axis. */
  ticks: number[];
}

/** Bids of a thousandth of a cent and less share the left end of a logarithmic axis. */
const LEAST_MICROS = 10;
/** Free space beyond the extremes, as a share of the axis. */
const MARGIN = 0.06;
const MOST_TICKS = 5;

/** An axis for these CPMs, bids and floor. The linear one begins at zero; the logarithmic one fits its values. */
export function priceAxis(kind: AxisKind, micros: readonly number[]): PriceAxis {
  const values = micros.filter((value) => value > 0);
  const most = Math.max(LEAST_MICROS * 10, ...values);
  if (kind === "linear") {
    const end = most * (1 + MARGIN);
    return { placeOf: (value) => percent(value / end), ticks: linearTicks(end) };
  }
  const least = Math.max(LEAST_MICROS, Math.min(most, ...values));
  // A single value gets a decade around it.
  const [low, high] = least === most ? [most / 3, most * 3] : [least, most];
  const [from, to] = [Math.log10(low), Math.log10(high)];
  const [start, end] = [from - (to - from) * MARGIN, to + (to - from) * MARGIN];
  return {
    placeOf: (value) => percent((Math.log10(Math.max(value, LEAST_MICROS)) - start) / (end - start)),
    ticks: logTicks(10 ** start, 10 ** end),
  };
}

const percent = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 10_000) / 100;

function linearTicks(end: number): number[] {
  const rough = end / MOST_TICKS;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = decade * ([1, 2, 5].find((each) => each * decade >= rough) ?? 10);
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, nth) => Math.round(nth * step));
}

/** 1, 2 and 5 of each decade; over many decades 1 alone, and then not each. */
function logTicks(low: number, high: number): number[] {
  const decades = Array.from(
    { length: Math.ceil(Math.log10(high)) - Math.floor(Math.log10(low)) + 1 },
    (_, nth) => 10 ** (Math.floor(Math.log10(low)) + nth),
  );
  const within = (ticks: number[]) => ticks.filter((tick) => tick >= low && tick <= high).map(Math.round);
  const fine = within(decades.flatMap((decade) => [decade, 2 * decade, 5 * decade]));
  if (fine.length <= MOST_TICKS) return fine;
  const coarse = within(decades);
  const every = Math.ceil(coarse.length / MOST_TICKS);
  return coarse.filter((_, nth) => nth % every === 0);
}
