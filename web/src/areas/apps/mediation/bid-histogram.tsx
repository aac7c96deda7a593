import type { AppBids } from "@millrace/contract";
import { formatCountExact, formatCpm, formatMoneyShort, formatMoneyTo } from "@millrace/units";
import { type BidScale, type BucketFate, bidScale, bucketEnd, fateOf, ticksOf } from "./bid-scale.ts";
import classes from "./histogram.module.css";

interface BidHistogramProps {
  bids: AppBids;
  /** The new floor; null if it is not changed. */
  floor: number | null;
  onFloor: (micros: number) => void;
}

const LEGEND: readonly { fate: BucketFate; words: string }[] = [
  { fate: "under", words: "under the floor" },
  { fate: "lost", words: "would be lost" },
  { fate: "gained", words: "could be sold" },
  { fate: "sold", words: "still sold" },
];
const SLIDER_STEPS = 1000;
/** The edges of buckets are rounded powers. */
const edgeText = (micros: number) => formatMoneyTo(micros, 4);
const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

/** The highest bids on yesterday's requests, with the floor in force and the new one, and a slider under them. */
export function BidHistogram({ bids, floor, onFloor }: BidHistogramProps) {
  const scale = bidScale(bids, floor);
  const today = bids.floors.at(-1) ?? 0;
  const most = Math.max(1, ...bids.buckets.map(({ requests }) => requests));
  const bars = bids.buckets.filter(({ from }) => bucketEnd(from) > scale.lo);
  const fates = new Set(bars.map(({ from }) => fateOf(from, today, floor)));
  const shown = floor ?? today;
  return (
    <div className={classes.histogram}>
      <div className={classes.plot} role="img" aria-label={summaryOf(bids)}>
        {bars.map(({ from, requests }) => (
          <i
            key={from}
            data-fate={fateOf(from, today, floor)}
            title={`${edgeText(from)} to ${edgeText(bucketEnd(from))}: ${formatCountExact(requests)} requests`}
            style={{
              left: percent(scale.at(from)),
              width: percent(Math.max(0.004, scale.at(bucketEnd(from)) - scale.at(from))),
              height: percent(requests / most),
            }}
          />
        ))}
        {bids.floors.map((each) => (
          <Mark key={each} scale={scale} micros={each} words="today" />
        ))}
        {floor === null || bids.floors.includes(floor) ? null : <Mark scale={scale} micros={floor} words="new" isNew />}
      </div>
      <input
        type="range"
        className={classes.slider}
        aria-label="Floor on the axis of bids"
        aria-valuetext={formatCpm(shown)}
        min={0}
        max={SLIDER_STEPS}
        value={Math.round(scale.at(shown) * SLIDER_STEPS)}
        onChange={(event) => onFloor(scale.priceAt(Number(event.currentTarget.value) / SLIDER_STEPS))}
      />
      <div className={classes.ticks} aria-hidden="true">
        {ticksOf(scale).map((tick) => (
          <span key={tick} style={{ left: percent(scale.at(tick)) }}>
            {tick < 10_000 ? formatCpm(tick) : formatMoneyShort(tick)}
          </span>
        ))}
      </div>
      <ul className={classes.legend}>
        {LEGEND.filter(({ fate }) => fates.has(fate)).map(({ fate, words }) => (
          <li key={fate}>
            <i data-fate={fate} aria-hidden="true" /> {words}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface MarkProps {
  scale: BidScale;
  micros: number;
  words: string;
  isNew?: boolean;
}

function Mark({ scale, micros, words, isNew = false }: MarkProps) {
  const place = scale.at(micros);
  return (
    <span
      className={classes.mark}
      data-new={isNew ? "" : undefined}
      data-side={place > 0.75 ? "left" : "right"}
      style={{ left: percent(place) }}
    >
      <em>
        {words} {micros === 0 ? "none" : formatCpm(micros)}
      </em>
    </span>
  );
}

/** The histogram in words. */
function summaryOf({ requests, without_bid: none, buckets }: AppBids): string {
  const [lowest, highest] = [buckets[0], buckets.at(-1)];
  if (!lowest || !highest) return `No bids on ${formatCountExact(requests)} requests`;
  const top = buckets.reduce((most, bucket) => (bucket.requests > most.requests ? bucket : most));
  return `Highest bids on ${formatCountExact(requests)} requests, from ${edgeText(lowest.from)} to ${edgeText(bucketEnd(highest.from))}, most of them from ${edgeText(top.from)} to ${edgeText(bucketEnd(top.from))}; ${formatCountExact(none)} requests without a bid`;
}
