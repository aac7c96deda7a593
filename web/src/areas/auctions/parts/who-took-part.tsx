import { formatCpm, formatMoney, formatMoneyTo } from "@millrace/units";
import { type CSSProperties, type KeyboardEvent, useRef } from "react";
import { NotAsked } from "../../../shared/auctions/not-asked.tsx";
import { type ImpParticipant, askedFor } from "../../../shared/auctions/participants-of.ts";
import type { Explained, ExplainedImp } from "../../../shared/auctions/use-auction.ts";
import results from "../../../shared/auctions/auctions.module.css";
import { Initials } from "../../../ui/initials.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import type { AuctionAddress } from "../auction-address.ts";
import { type PriceAxis, priceAxis } from "../price-axis.ts";
import classes from "./who-took-part.module.css";

interface WhoTookPartProps {
  auction: Explained;
  imp: ExplainedImp;
  address: AuctionAddress;
  onChange: (change: Partial<AuctionAddress>) => void;
}

/** The partners asked, each with a lane on two shared axes: the time of its answer, and its bid with the floor through all. */
export function WhoTookPart({ auction, imp, address, onChange }: WhoTookPartProps) {
  const participants = askedFor(auction, imp.imp);
  const kind = address.axis ?? "log";
  const prices = participants.flatMap(({ price }) => (price === null ? [] : [price]));
  const decimals = prices.every(hasFourDecimals) ? 4 : 6;
  const axis = priceAxis(kind, imp.floor === null ? prices : [...prices, imp.floor]);
  const picked = participants.some(({ provider }) => provider === address.partner)
    ? address.partner
    : participants[0]?.provider;
  // A timeout on a busy machine may be noticed after the deadline.
  const endMs = Math.max(
    auction.deadline_ms ?? 100,
    ...participants.map(({ latency_ms: latencyMs }) => latencyMs ?? 0),
  );
  const list = useRef<HTMLDivElement>(null);
  const pick = (index: number) => {
    const participant = participants[index];
    if (!participant) return;
    onChange({ partner: participant.provider });
    list.current?.querySelectorAll<HTMLElement>("[role=option]")[index]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = participants.findIndex(({ provider }) => provider === picked);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: participants.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    pick(Math.min(participants.length - 1, Math.max(0, to)));
  };
  return (
    <Panel
      title="Who took part"
      aside={
        prices.length === 0 ? undefined : (
          <Segments
            label="Axis of the bids"
            options={[
              { id: "log", label: "Log" },
              { id: "linear", label: "Linear" },
            ]}
            chosen={kind}
            onChoose={(chosen) => onChange({ axis: chosen === "log" ? undefined : chosen })}
          />
        )
      }
    >
      {participants.length === 0 ? (
        <EmptyNote title="No partners found" why="No partner could be asked. The reasons are below." />
      ) : (
        <>
          <Axes axis={axis} endMs={endMs} floor={imp.floor} hasBids={prices.length > 0} />
          <div
            ref={list}
            role="listbox"
            tabIndex={-1}
            aria-label="Partners asked"
            className={classes.lanes}
            onKeyDown={onKeyDown}
          >
            {participants.map((participant, index) => (
              <Lane
                key={participant.provider}
                participant={participant}
                isPicked={participant.provider === picked}
                axis={axis}
                endMs={endMs}
                floor={imp.floor}
                decimals={decimals}
                onPick={() => pick(index)}
              />
            ))}
          </div>
        </>
      )}
      <div className={classes.notAsked}>
        <NotAsked auction={auction} imp={imp.imp} />
      </div>
    </Panel>
  );
}

interface AxesProps {
  axis: PriceAxis;
  endMs: number;
  floor: number | null;
  hasBids: boolean;
}

const at = (percent: number): CSSProperties => ({ left: `${percent}%` });
/** Whether a label would leave its axis. */
const endOf = (percent: number) => (percent < 9 ? "start" : percent > 91 ? "end" : undefined);
/** Ticks nearer to the floor's label would overlap it. */
const LABEL_PERCENT = 17;

function Axes({ axis, endMs, floor, hasBids }: AxesProps) {
  const floorAt = floor === null || floor === 0 ? null : axis.placeOf(floor);
  const ticks = axis.ticks.filter((tick) => floorAt === null || Math.abs(axis.placeOf(tick) - floorAt) > LABEL_PERCENT);
  return (
    <div className={classes.axes} aria-hidden="true">
      <span>Source</span>
      <span className={classes.axis}>
        {[0, 50, 100].map((percent) => (
          <i key={percent} data-at={endOf(percent)} data-middle={percent === 50 ? "" : undefined} style={at(percent)}>
            {Math.round((percent / 100) * endMs)} ms
          </i>
        ))}
      </span>
      <span className={classes.figure}>Answer</span>
      <span className={classes.axis}>
        {hasBids || floorAt !== null
          ? ticks.map((tick) => (
              <i
                key={tick}
                data-middle={floorAt === null ? undefined : ""}
                data-at={endOf(axis.placeOf(tick))}
                style={at(axis.placeOf(tick))}
              >
                {tickText(tick)}
              </i>
            ))
          : null}
        {floorAt === null || floor === null ? null : (
          <i className={classes.floorLabel} data-at={endOf(floorAt)} style={at(floorAt)}>
            floor {formatMoneyTo(floor, 4)}
          </i>
        )}
      </span>
      <span className={classes.figure}>Bid, CPM</span>
      <span>Why</span>
    </div>
  );
}

/** A bid has 4 decimals unless it is of a finer price. */
const hasFourDecimals = (micros: number): boolean => micros % 100 === 0;

interface LaneProps {
  participant: ImpParticipant;
  isPicked: boolean;
  axis: PriceAxis;
  endMs: number;
  floor: number | null;
  /** Of all the bids, so that they stand below one another. */
  decimals: number;
  onPick: () => void;
}

function Lane({ participant, isPicked, axis, endMs, floor, decimals, onPick }: LaneProps) {
  const { name, latency_ms: latencyMs, result, label, text, price } = participant;
  const time = latencyMs === null ? "–" : `${Math.round(latencyMs)} ms`;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the list handles keys; focus selects
    <div
      role="option"
      aria-selected={isPicked}
      tabIndex={isPicked ? 0 : -1}
      data-result={result}
      data-bid={price === null ? undefined : ""}
      className={classes.lane}
      onClick={onPick}
    >
      <span className={classes.source}>
        <Initials name={name} size={22} />
        <span>{name}</span>
      </span>
      <span className={classes.timeLane} aria-hidden="true">
        {latencyMs === null ? null : <i style={{ width: `${Math.min(100, (100 * latencyMs) / endMs)}%` }} />}
      </span>
      <span className={classes.time}>{time}</span>
      <span className={classes.bidLane} aria-hidden="true">
        {floor === null || floor === 0 ? null : <i className={classes.floor} style={at(axis.placeOf(floor))} />}
        {price === null ? null : <b style={at(axis.placeOf(price))} />}
      </span>
      <span className={classes.bid}>
        {price === null ? <span aria-label="no bid">–</span> : formatMoneyTo(price, decimals)}
      </span>
      <span className={classes.why}>
        <span className={results.result} data-result={result}>
          {label}
        </span>
        {text === "" ? null : <small>{text}</small>}
      </span>
    </div>
  );
}

/** A round price of the axis: `$6`, `$0.50`, `$0.0010`. */
const tickText = (micros: number): string =>
  micros > 0 && micros < 5000 ? formatCpm(micros) : formatMoney(micros).replace(/\.00$/, "");
