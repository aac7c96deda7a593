import { AUCTION_DEADLINE_MS, FORMAT_LABELS, PLATFORM_LABELS } from "@millrace/contract";
import { type BidderRow, auctionInWords } from "./auction-words.ts";
import { RECORDED_AUCTION } from "./recorded-auction.data.ts";

const LABELS = { ...FORMAT_LABELS, ...PLATFORM_LABELS };
const NO_ROW: BidderRow = { who: "", result: "won", word: "", after: "", place: "0%", share: "" };

/** A recorded auction. In a demo, `living-auctions.ts` replaces it by those that run while one looks. */
export function AuctionPicture() {
  const { title, sentence, rows } = auctionInWords(RECORDED_AUCTION, LABELS, AUCTION_DEADLINE_MS);
  return (
    <figure className="auction panel" data-auction={JSON.stringify(LABELS)} data-deadline={AUCTION_DEADLINE_MS}>
      <figcaption>
        <strong data-slot="title">{title}</strong>
        <span className="source" data-slot="source">
          A recorded auction of the demonstration
        </span>
      </figcaption>
      <div className="axes" aria-hidden="true">
        <span>Asked</span>
        <span className="time">Answered within {AUCTION_DEADLINE_MS} ms</span>
        <span className="bid">Bid, of the highest</span>
      </div>
      <ol data-slot="rows">
        {rows.map((row) => (
          <Bidder key={row.who} row={row} />
        ))}
      </ol>
      <p className="sentence" data-slot="sentence">
        {sentence}
      </p>
      <button type="button" className="link" data-slot="pause" hidden>
        Pause
      </button>
      <template>
        <Bidder row={NO_ROW} />
      </template>
    </figure>
  );
}

/** The policy of the page allows no inline styles, so places are attributes of SVG. */
const Bidder = ({ row: { who, result, word, after, place, share } }: { row: BidderRow }) => (
  <li data-result={result}>
    <span data-slot="who">{who}</span>
    <svg className="lane" height="14" aria-hidden="true">
      <line x1="0" x2={place} y1="7" y2="7" data-slot="line" />
      <circle cx={place} cy="7" r="4" data-slot="dot" />
    </svg>
    <span className="after" data-slot="after">
      {after}
    </span>
    <span className="word" data-slot="word">
      {word}
    </span>
    <svg className="bar" height="6" aria-hidden="true">
      <rect width={share === "" ? "0" : share} height="6" rx="3" data-slot="bar" />
    </svg>
    <span className="share" data-slot="share">
      {share}
    </span>
  </li>
);
