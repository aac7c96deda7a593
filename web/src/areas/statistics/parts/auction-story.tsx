import { FORMAT_LABELS, PLAYER_EVENT_LABELS, TEXTS, UNKNOWN_COUNTRY } from "@millrace/contract";
import { formatDay, formatMoneyExact } from "@millrace/units";
import { type Explained, byDecision, gistOf } from "../auction-gist.ts";
import classes from "./auction.module.css";
import { ParticipantRow } from "./participant-row.tsx";

/** An auction's summary, its facts and its participants. */
export function AuctionStory({ auction, provider }: { auction: Explained; provider: string }) {
  return (
    <div className={classes.story}>
      <p className={classes.gist}>{gistOf(auction, provider)}</p>
      <dl className={classes.facts}>
        <Fact name="When" value={`${formatDay(auction.at.slice(0, 10))}, ${auction.at.slice(11, 23)} UTC`} />
        <Fact name="Country" value={auction.country === UNKNOWN_COUNTRY ? TEXTS.unknownCountry : auction.country} />
        <Fact name="Deadline" value={`${auction.deadline_ms} ms`} />
        {auction.imps.map((imp) => (
          <Fact
            key={imp.imp}
            name={`Floor, ${FORMAT_LABELS[imp.format].toLowerCase()}`}
            value={`${formatMoneyExact(imp.floor)} CPM`}
          />
        ))}
      </dl>
      <h3>Who took part</h3>
      <ol className={classes.participants}>
        {byDecision(auction).map((participant) => (
          <ParticipantRow key={participant.provider} participant={participant} deadlineMs={auction.deadline_ms} />
        ))}
      </ol>
      {auction.player_events.length > 0 ? (
        <>
          <h3>Player events</h3>
          <dl className={classes.facts}>
            {auction.player_events.map(({ provider: of, event, error_code, at }) => (
              <Fact
                key={`${of} ${event}`}
                name={error_code === null ? PLAYER_EVENT_LABELS[event] : `${PLAYER_EVENT_LABELS[event]} ${error_code}`}
                value={`${of}, ${at.slice(11, 23)} UTC`}
              />
            ))}
          </dl>
        </>
      ) : null}
      <dl className={classes.facts}>
        <Fact name="Auction" value={auction.auction} />
        <Fact name="Tie-break seed" value={auction.seed} />
        <Fact name="Configuration" value={auction.config_version} />
        <Fact
          name="Replay"
          value={
            auction.replays ? "same result from the stored inputs" : "different result: the rules have changed since"
          }
        />
      </dl>
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
