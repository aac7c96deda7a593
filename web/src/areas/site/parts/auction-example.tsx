import { AUCTION_DEADLINE_MS } from "@millrace/contract";
import classes from "./auction-example.module.css";

interface Answer {
  partner: string;
  /** Response time in milliseconds; the deadline if no response came in time. */
  afterMs: number;
  price: string;
  outcome: string;
  won?: true;
}

const ANSWERS: readonly Answer[] = [
  { partner: "Partner A", afterMs: 41, price: "$6.40", outcome: "won: the highest valid bid", won: true },
  { partner: "Partner B", afterMs: 28, price: "$5.95", outcome: "outbid" },
  { partner: "Partner C", afterMs: 63, price: "$0.18", outcome: "below the floor of $0.50" },
  { partner: "Partner D", afterMs: 37, price: "–", outcome: "no bid: no demand for this device" },
  {
    partner: "Partner E",
    afterMs: AUCTION_DEADLINE_MS,
    price: "–",
    outcome: `no answer within ${AUCTION_DEADLINE_MS} ms`,
  },
];

/** The dashboard's view of an auction, with made-up data. */
export function AuctionExample() {
  return (
    <figure className={classes.panel}>
      <figcaption>
        <strong>Why this ad?</strong>
        <span>an example auction</span>
      </figcaption>
      <table>
        <thead>
          <tr>
            <th scope="col">Asked</th>
            <th scope="col">Answered within {AUCTION_DEADLINE_MS} ms</th>
            <th scope="col">Bid eCPM</th>
          </tr>
        </thead>
        <tbody>
          {ANSWERS.map(({ partner, afterMs, price, outcome, won }) => (
            <tr key={partner} data-won={won ? "" : undefined}>
              <th scope="row">{partner}</th>
              <td>
                <meter min={0} max={AUCTION_DEADLINE_MS} value={afterMs} aria-label={`${afterMs} ms`} />
                <span>{outcome}</span>
              </td>
              <td>{price}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
