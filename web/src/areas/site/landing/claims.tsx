import { AUCTION_DEADLINE_MS } from "@millrace/contract";
import { COUNTRY_OPTIONS } from "../../../shared/countries.ts";

/** The last option stands for the unknown country. */
const CODES = COUNTRY_OPTIONS.length - 1;

const CLAIMS = [
  {
    figure: "184",
    what: "countries",
    measured: `At least: floors, line items and reports tell all ${CODES} countries and territories of ISO 3166-1 apart.`,
  },
  {
    figure: "__PARTNERS__",
    what: "demand platforms",
    measured: "The adapters in this release, counted when it started. Each buys once you have an agreement with it.",
  },
  {
    figure: `${AUCTION_DEADLINE_MS} ms`,
    what: "real-time auction",
    measured:
      "From the request's arrival to the answer. Bids that come later do not count, and every auction records its time.",
  },
  {
    figure: "$45",
    what: "audio CPM, up to",
    measured:
      "The top of the range, neither an average nor a promise. Yours is the highest cleared price of your audio impressions.",
  },
] as const;

/** What the product claims, each with how it is measured. */
export const Claims = () => (
  <section className="claims wide" aria-label="In figures">
    <dl>
      {CLAIMS.map(({ figure, what, measured }) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd className="figure">{figure}</dd>
          <dd className="measured">{measured}</dd>
        </div>
      ))}
    </dl>
  </section>
);
