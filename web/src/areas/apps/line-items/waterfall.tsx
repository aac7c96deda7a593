import { Button } from "@mantine/core";
import { CAMPAIGN_PROVIDER, type LineItem, loadingText } from "@millrace/contract";
import {
  addDays,
  dayOf,
  decimalDollars,
  formatCountExact,
  formatCpm,
  formatMoney,
  formatMoneyShort,
  formatMoneyTo,
  formatPercent,
} from "@millrace/units";
import { useId, useRef, useState } from "react";
import { HelpLink } from "../../../shared/help-link.tsx";
import { messageOf } from "../../../shared/call-api.ts";
import { microsOf } from "../../../shared/micros-of.ts";
import { useUnsaved } from "../../../ui/form/unsaved.ts";
import { Fold } from "../../../ui/fold.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { useMediation } from "../api.ts";
import type { MediationAddress } from "../mediation/address.ts";
import { type BidScale, bidScale, ticksOf } from "../mediation/bid-scale.ts";
import { CAMPAIGNS_ARE } from "../mediation/partner-switch.tsx";
import { KIND_LABELS } from "./line-item-form.tsx";
import { useLineItems, useSaveLineItem } from "./use-line-items.ts";
import { repriced, takesPart, type WaterfallRow, waterfallRows } from "./waterfall-rows.ts";
import classes from "./waterfall.module.css";

const SLIDER_STEPS = 1000;
const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

interface WaterfallProps {
  uuid: string;
  address: Pick<MediationAddress, "format" | "country">;
  /** In percent of the auctions. */
  exploration: number | undefined;
}

/** Bidders and line items as a picture, in the order in which an auction would try them. */
export function Waterfall({ uuid, address: { format, country }, exploration }: WaterfallProps) {
  const [day] = useState(() => addDays(dayOf(Date.now()), -1));
  const scores = useMediation(uuid, { ds: day, de: day, format: format ?? [], country: country ?? [] });
  const items = useLineItems(uuid);
  return (
    <Panel title="Waterfall" aside={exploration === undefined ? undefined : `${exploration}% of auctions explore`}>
      <Loaded
        query={scores}
        loading={loadingText("waterfall")}
        skeleton={<TableSkeleton rows={6} columns={4} rowHeight={46} />}
      >
        {({ partners }) => (
          <Picture
            uuid={uuid}
            country={country}
            rows={waterfallRows({ partners, items: items.data?.items ?? [], format, country })}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function Picture({
  uuid,
  country,
  rows,
}: {
  uuid: string;
  country: string | undefined;
  rows: readonly WaterfallRow[];
}) {
  const prices = rows
    .flatMap(({ price, low, high }) => (price === null ? [] : [price, low, high]))
    .filter((micros) => micros > 0);
  const scale = bidScale({ buckets: [], floors: prices }, null);
  // A line item stays in the list, because its price is set there.
  const ranked = rows.filter((row) => row.item !== null || takesPart(row));
  const others = rows.filter((row) => row.item === null && !takesPart(row));
  if (rows.length === 0) {
    return (
      <EmptyNote
        title="Nobody takes part yet"
        why="Partners with keys and line items are ranked here by what they pay."
      />
    );
  }
  return (
    <>
      <p className={classes.about}>
        The highest price is tried first. A bidder's point is its median bid of yesterday, and its bar holds 9 in 10 of
        its bids. A line item's point is what an impression is expected to pay, and its bar holds that with a
        probability of 90%. How often an adapter has an ad does not move the point, because an ad that is not there only
        costs time. <HelpLink to="publishers/mediation#waterfall">How prices are learned</HelpLink>
      </p>
      <ol className={classes.rows} aria-label="Waterfall of the app">
        {ranked.map((row, nth) => (
          <li key={row.id} data-off={takesPart(row) ? undefined : ""}>
            <span className={classes.name}>
              <i aria-hidden="true">{takesPart(row) ? nth + 1 : ""}</i>
              <span>
                <b title={row.name}>{row.name}</b>
                <small>{wordsOf(row)}</small>
              </span>
            </span>
            {row.item === null ? (
              <Fixed row={row} scale={scale} />
            ) : (
              <Priced key={country} uuid={uuid} country={country} item={row.item} row={row} scale={scale} />
            )}
            <span className={classes.earned}>
              <b>{formatMoney(row.yesterday)}</b>
              <small>{row.item === null ? "earned yesterday" : "expected yesterday"}</small>
            </span>
          </li>
        ))}
      </ol>
      <div className={classes.ticks} aria-hidden="true">
        <span>
          {ticksOf(scale).map((tick) => (
            <em key={tick} style={{ left: percent(scale.at(tick)) }}>
              {tick < 10_000 ? formatCpm(tick) : formatMoneyShort(tick)}
            </em>
          ))}
        </span>
      </div>
      {others.length === 0 ? null : (
        <Fold title="Not in the order" count={others.length}>
          <ul className={classes.others} aria-label="Not in the order">
            {others.map((row) => (
              <li key={row.id}>
                <b>{row.name}</b> {wordsOf(row)}
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </>
  );
}

function wordsOf({ id, item, price, isOn }: WaterfallRow): string {
  const bidderText = id === CAMPAIGN_PROVIDER.id ? CAMPAIGNS_ARE : "bidder";
  const kind = item === null ? bidderText : KIND_LABELS[item.source.kind];
  const state = !isOn
    ? ", off"
    : price === null
      ? item === null
        ? ", no bid yesterday"
        : ", no price in this country"
      : "";
  return kind + state + triedWords(item);
}

/** How often an adapter had an ad, if SDKs have told. */
const triedWords = (item: LineItem | null): string =>
  item === null || item.steps.tried === 0
    ? ""
    : `, had an ad in ${formatPercent((100 * item.steps.filled) / item.steps.tried)} of ${formatCountExact(item.steps.tried)} tries`;

function Axis({
  row: { price, low, high, item },
  scale,
  at,
}: {
  row: WaterfallRow;
  scale: BidScale;
  at: number | null;
}) {
  if (price === null) return <span className={classes.axis} />;
  const [from, to] = [scale.at(low), scale.at(high)];
  return (
    <span className={classes.axis} data-kind={item === null ? "bidder" : "item"} aria-hidden="true">
      <i style={{ left: percent(from), width: percent(Math.max(0.006, to - from)) }} />
      <b style={{ left: percent(scale.at(price)) }} />
      {at === null ? null : <u style={{ left: percent(scale.at(at)) }} />}
    </span>
  );
}

/** Bids are known within 2%: more digits would say nothing. */
const cpmText = (micros: number | null) => formatMoneyTo(micros, 4);
const rangeText = ({ low, high }: WaterfallRow) => `${cpmText(low)} to ${cpmText(high)}`;

const Fixed = ({ row, scale }: { row: WaterfallRow; scale: BidScale }) => (
  <>
    <span className={classes.drawn}>
      <Axis row={row} scale={scale} at={null} />
    </span>
    <span className={classes.price}>
      <b>{cpmText(row.price)}</b>
      {row.price === null ? null : <small>{rangeText(row)}</small>}
    </span>
  </>
);

interface PricedProps {
  uuid: string;
  country: string | undefined;
  item: LineItem;
  row: WaterfallRow;
  scale: BidScale;
}

/** A line item, whose stated price is dragged, moved by arrow keys, or typed. */
function Priced({ uuid, country, item, row, scale }: PricedProps) {
  const save = useSaveLineItem(uuid);
  const saved = row.stated === null ? "" : decimalDollars(row.stated);
  const [typed, setTyped] = useState(saved);
  const [base, setBase] = useState(saved);
  // Another price, saved here or elsewhere, starts the typing again.
  if (saved !== base) {
    setBase(saved);
    setTyped(saved);
  }
  // Takes the focus of buttons that disappear when they are pressed.
  const field = useRef<HTMLInputElement>(null);
  const micros = microsOf(typed);
  const isChanged = micros === null ? typed.trim() !== saved : micros !== row.stated;
  const isValid = micros !== null && micros > 0 && micros <= 1_000_000_000;
  const about = useId();
  const fault = !isValid ? "Use a price like 2.50, above 0 and at most 1000" : save.isError && messageOf(save.error);
  const priced = country ?? row.statedIn;
  const place = priced === null ? "" : ` in ${priced}`;
  useUnsaved(isChanged);
  const send = () => {
    if (isChanged && isValid && !save.isPending) save.mutate({ item, body: repriced(item, priced, micros) });
  };
  return (
    <>
      <span className={classes.drawn}>
        <Axis row={row} scale={scale} at={isChanged ? micros : null} />
        <input
          type="range"
          className={classes.slider}
          aria-label={`Price of ${item.name}${place} on the axis`}
          aria-valuetext={micros === null ? "none" : formatCpm(micros)}
          min={0}
          max={SLIDER_STEPS}
          value={Math.round(scale.at(micros ?? row.price ?? 0) * SLIDER_STEPS)}
          onChange={(event) =>
            setTyped(decimalDollars(scale.priceAt(Number(event.currentTarget.value) / SLIDER_STEPS)))
          }
        />
      </span>
      <span className={classes.price}>
        <b>{cpmText(row.price)}</b>
        {row.price === null ? null : <small>{rangeText(row)}</small>}
        <span className={classes.typed}>
          <span aria-hidden="true">stated{place} $</span>
          <input
            ref={field}
            inputMode="decimal"
            autoComplete="off"
            aria-label={`Stated price of ${item.name}${place} in $`}
            aria-invalid={isChanged && !isValid}
            aria-describedby={isChanged ? about : undefined}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={({ key }) => key === "Enter" && send()}
          />
        </span>
        {isChanged ? (
          <span className={classes.acts}>
            <Button
              size="compact-xs"
              aria-label={`Save price of ${item.name}`}
              disabled={!isValid || save.isPending}
              onClick={() => {
                send();
                field.current?.focus();
              }}
            >
              Save price
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Undo the price of ${item.name}`}
              onClick={() => {
                setTyped(saved);
                field.current?.focus();
              }}
            >
              Undo
            </Button>
          </span>
        ) : null}
        {isChanged && fault !== false ? (
          <small id={about} role={isValid ? "alert" : undefined} className={classes.refused}>
            {fault}
          </small>
        ) : null}
      </span>
    </>
  );
}
