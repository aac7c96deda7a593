import { formatMoneyExact } from "@millrace/units";
import { type Explained, bestBid } from "../auction-gist.ts";
import classes from "./auction.module.css";

type Participant = Explained["participants"][number];

/** A participant: its bid, its latency against the deadline, its outcome, and the personal data withheld from it. */
export function ParticipantRow({ participant, deadlineMs }: { participant: Participant; deadlineMs: number }) {
  const { latency_ms: latencyMs, outcome } = participant;
  const bid = bestBid(participant);
  return (
    <li data-outcome={outcome.code === "won" ? "won" : undefined}>
      <span className={classes.name}>{participant.name}</span>
      <span className={classes.price}>
        {bid?.price === undefined || bid.price === null ? "" : formatMoneyExact(bid.price)}
      </span>
      <span className={classes.latency}>{latencyMs === null ? "not asked" : `${Math.round(latencyMs)} ms`}</span>
      <span className={classes.time} aria-hidden="true">
        {latencyMs === null ? null : (
          <span style={{ width: `${Math.min(100, (100 * latencyMs) / Math.max(1, deadlineMs))}%` }} />
        )}
      </span>
      <span className={classes.reason}>{reasonsOf(participant).join("; ")}</span>
      {participant.privacy.map(({ rule, text }) => (
        <span key={rule} className={classes.privacy}>
          {text}
        </span>
      ))}
    </li>
  );
}

/** The reasons for the outcome, without duplicates. */
function reasonsOf({ outcome, refusals, bids }: Participant): string[] {
  const sentences = [
    ...refusals.map(({ reason }) => reason.text),
    ...bids.flatMap(({ reason, field, min_to_win: toWin }) => {
      if (!reason) return [];
      const where = field === null ? "" : ` (${field})`;
      const beat = toWin === null ? "" : `, ${formatMoneyExact(toWin)} to beat`;
      return [reason.text + where + beat];
    }),
  ];
  // The general outcome only if there is no specific reason.
  return sentences.length === 0 ? [outcome.text] : [...new Set(sentences)];
}
