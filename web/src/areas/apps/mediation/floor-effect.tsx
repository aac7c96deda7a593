import type { AppBids } from "@millrace/contract";
import { formatCountExact, formatMoney } from "@millrace/units";
import classes from "./floors.module.css";

interface FloorEffectProps {
  bids: AppBids | undefined;
  /** The new floor; null if it is not changed. */
  floor: number | null;
  isWaiting: boolean;
}

/** What the new floor would have meant yesterday, before it is saved. */
export function FloorEffect({ bids, floor, isWaiting }: FloorEffectProps) {
  if (floor === null)
    return <p className={classes.hint}>Change the floor to see what it would have meant yesterday.</p>;
  const effect = bids?.effect;
  if (!bids || !effect) return <p className={classes.hint}>Working out its effect …</p>;
  const { impressions, revenue } = effect;
  return (
    <div className={classes.effect} role="status" data-waiting={isWaiting ? "" : undefined}>
      <span>Yesterday it would have meant</span>
      <dl>
        <div>
          <dt>impressions</dt>
          <dd data-sign={signOf(impressions)}>{signed(impressions, formatCountExact)}</dd>
          <dd>
            {formatCountExact(bids.impressions + impressions)}, was {formatCountExact(bids.impressions)}
          </dd>
        </div>
        <div>
          <dt>revenue</dt>
          <dd data-sign={signOf(revenue)}>{signed(revenue, formatMoney)}</dd>
          <dd>
            {formatMoney(bids.revenue + revenue)}, was {formatMoney(bids.revenue)}
          </dd>
        </div>
      </dl>
      <p>{effect.basis}</p>
    </div>
  );
}

const signOf = (value: number) => (value > 0 ? "up" : value < 0 ? "down" : undefined);

/** With a true minus, and always a sign. */
const signed = (value: number, format: (value: number) => string): string =>
  `${value > 0 ? "+" : value < 0 ? "−" : "±"}${format(Math.abs(value))}`;
