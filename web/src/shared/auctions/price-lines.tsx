import { formatCpm, formatEarning, formatPercent } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import { PATHS } from "../paths.ts";
import type { ExplainedImp } from "./use-auction.ts";
import classes from "./auctions.module.css";

type Price = NonNullable<ExplainedImp["price"]>;

/** What was cleared, the platform's fee and the publisher's part, for this impression and for a thousand. */
export function PriceLines({ price }: { price: Price }) {
  const { impression, thousand, fee_ppm: feePpm } = price;
  const cpm = cpmFormat([thousand.cleared, thousand.fee, thousand.earned]);
  const rate = feePpm === null ? "" : `, ${formatPercent(feePpm / 10_000)}`;
  const earned = price.is_earned ? "You earned" : "You would earn";
  return (
    <>
      <div className={classes.split} aria-hidden="true">
        <span style={{ width: `${share(thousand.earned, thousand.cleared)}%` }} />
      </div>
      <table className={classes.prices}>
        <caption className="visually-hidden">Price split of {price.name}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Part</span>
            </th>
            <th scope="col">This impression</th>
            <th scope="col">Per thousand</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Cleared price</th>
            <td>{formatEarning(impression.cleared)}</td>
            <td>{cpm(thousand.cleared)}</td>
          </tr>
          <tr>
            <th scope="row">Platform fee{rate}</th>
            <td>{formatEarning(-impression.fee)}</td>
            <td>{cpm(-thousand.fee)}</td>
          </tr>
          <tr data-total="">
            <th scope="row">{earned}</th>
            <td>{formatEarning(impression.earned)}</td>
            <td>{cpm(thousand.earned)}</td>
          </tr>
        </tbody>
      </table>
    </>
  );
}

/** Where the fee comes from, and the contract behind it. */
export function FeeSource({ price }: { price: Price }) {
  return (
    <p className={classes.feeBy}>
      {price.fee_by}{" "}
      <Link to={PATHS.terms} hash="money">
        Why? The terms
      </Link>
    </p>
  );
}

/** Four decimals, or six in all lines if one needs them, so that the lines add up as they are read. */
function cpmFormat(amounts: readonly number[]): (micros: number) => string {
  return amounts.every((micros) => micros % 100 === 0) ? formatCpm : formatEarning;
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10);
