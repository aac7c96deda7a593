import { FORMAT_LABELS, TEXTS, UNKNOWN_COUNTRY, loadingText } from "@millrace/contract";
import { formatCpm, formatDay, formatDayShort } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import { HelpLink } from "../../../shared/help-link.tsx";
import { PATHS } from "../../../shared/paths.ts";
import { useFirstSteps } from "../../../shared/first-steps/use-first-steps.ts";
import { Panel } from "../../../ui/panel.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { WorkButton } from "../../../ui/work-button.tsx";
import { type RecordedRequest, type RequestsPage, type useNewRequests, type useRequests, keyOf } from "../api.ts";
import { type RequestsAddress, countFilters } from "../requests-address.ts";
import { clearFilters } from "./request-filters.tsx";
import classes from "./request-list.module.css";

interface RequestListProps {
  uuid: string;
  address: RequestsAddress;
  list: ReturnType<typeof useRequests>;
  fresh: ReturnType<typeof useNewRequests>;
  onShowNew: () => void;
  onChange: (change: Partial<RequestsAddress>) => void;
}

/** The requests as rows that lead to their auctions. New ones wait behind a line, so that no row moves under the pointer. */
export function RequestList({ uuid, address, list, fresh, onShowNew, onChange }: RequestListProps) {
  const pages = list.data?.pages;
  const rows = pages?.flatMap((page) => page.requests) ?? [];
  const last = pages?.at(-1);
  return (
    <Panel title="Requests" aside={last ? keptText(last) : undefined} busy={list.isPending}>
      {/* The line keeps its place while there is nothing new. */}
      {fresh.enabled && fresh.count === 0 ? <p className={classes.fresh}>No new requests</p> : null}
      {fresh.count > 0 ? (
        <button type="button" className={classes.fresh} onClick={onShowNew}>
          {fresh.isMore ? `More than ${fresh.count}` : fresh.count} new
        </button>
      ) : null}
      <Loaded
        query={list}
        loading={loadingText("requests")}
        skeleton={<RowsSkeleton rows={12} height={41} />}
        isEmpty={() => rows.length === 0 && !list.hasNextPage}
        empty={<NoRequests address={address} uuid={uuid} onChange={onChange} />}
      >
        {() => (
          <>
            {rows.length > 0 ? (
              <div className={classes.head} aria-hidden="true">
                <span>Time, UTC</span>
                <span>Outcome</span>
                <span data-figure="">Price, CPM</span>
                <span>Zone</span>
                <span>Format</span>
                <span>Country</span>
                <span data-figure="">Asked</span>
                <span data-figure="">Answered in</span>
              </div>
            ) : null}
            <ol className={classes.rows} aria-label="Requests, newest first">
              {rows.map((request) => (
                <li key={keyOf(request)}>
                  <RequestRow request={request} />
                </li>
              ))}
            </ol>
            {last ? <End last={last} count={rows.length} list={list} /> : null}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const keptText = ({ kept_days: days }: RequestsPage): string | undefined =>
  days === null ? undefined : `single requests are kept for ${days} days or more`;

function RequestRow({ request }: { request: RecordedRequest }) {
  const { auction, imp, at, winner, no_ad: noAd, price, zone_name: zone, format, country, asked, traced } = request;
  return (
    <Link to={PATHS.auction} params={{ id: auction }} search={imp === "1" ? {} : { imp }} className={classes.row}>
      <span className={classes.time}>
        <small>{formatDayShort(at.slice(0, 10))}</small> {at.slice(11, 23)}
      </span>
      <span className={classes.outcome} data-outcome={winner ? "sold" : "no_ad"}>
        {winner ? winner.name : (noAd?.text ?? "No ad")}
        <small>{traced ? (winner ? "won" : "no ad") : `${winner ? "won" : "no ad"}, no full trace kept`}</small>
      </span>
      <span className={classes.price} data-figure="" title={price === null ? undefined : formatCpm(price)}>
        {price === null ? <span className={classes.none}>–</span> : formatCpm(toFourDecimals(price))}
      </span>
      <span className={classes.zone}>{zone}</span>
      <span className={classes.format}>{FORMAT_LABELS[format]}</span>
      <span className={classes.country} title={countryName(country)}>
        {country === UNKNOWN_COUNTRY ? TEXTS.unknownCountry : country}
      </span>
      <span className={classes.asked} data-figure="">
        {asked}
        <span className="visually-hidden"> partners asked</span>
      </span>
      <span className={classes.took} data-figure="">
        {Math.round(request.duration_ms)} ms
      </span>
    </Link>
  );
}

/** A column has one number of decimals; all of them are on hover and on the auction's page. */
const toFourDecimals = (micros: number) => Math.round(micros / 100) * 100;

const NAMES = new Intl.DisplayNames("en", { type: "region", fallback: "code" });
const countryName = (code: string) => (code === UNKNOWN_COUNTRY ? TEXTS.unknownCountry : (NAMES.of(code) ?? code));

interface EndProps {
  last: RequestsPage;
  count: number;
  list: ReturnType<typeof useRequests>;
}

/** What the list ends with: more rows, or how far the search has come. */
function End({ last, count, list }: EndProps) {
  const isCutOff = list.hasNextPage && last.requests.length === 0;
  return (
    <div className={classes.end}>
      {isCutOff ? (
        <p>
          {count === 0 ? "No such request" : "No more of them"} since {momentText(last.searched_from)}.
        </p>
      ) : null}
      {list.hasNextPage ? (
        <WorkButton variant="default" working={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {isCutOff ? "Search earlier" : "Show older"}
        </WorkButton>
      ) : (
        <p>{count === 1 ? "This is the only request" : `These are all ${count} requests`} of these days and filters.</p>
      )}
    </div>
  );
}

const momentText = (at: string) => `${formatDay(at.slice(0, 10))}, ${at.slice(11, 16)} UTC`;

function NoRequests({ uuid, address, onChange }: Pick<RequestListProps, "uuid" | "address" | "onChange">) {
  const steps = useFirstSteps(uuid).data?.steps;
  const isWaiting = steps?.some(({ step, state }) => step === "request" && state !== "done") === true;
  if (countFilters(address) > 0) {
    return (
      <EmptyNote
        title="No requests found"
        why="No request of these days matches the filters."
        action={
          <button type="button" className={classes.action} onClick={() => clearFilters(onChange)}>
            Clear filters
          </button>
        }
      />
    );
  }
  if (isWaiting) {
    return (
      <EmptyNote
        title="Waiting for the first request"
        why="The app has not asked for an ad yet. Its requests appear here as they arrive."
        action={
          <>
            <Link to={PATHS.appSettings} params={{ uuid }} search={{}}>
              Open the instructions
            </Link>{" "}
            <HelpLink to="troubleshooting#no-ads">Why none may arrive</HelpLink>
          </>
        }
      />
    );
  }
  return (
    <EmptyNote
      title="No requests found"
      why="The app asked for no ad in these days, or the single requests are no longer kept."
      action={
        <Link to={PATHS.appPerformance} params={{ uuid }} search={{ ds: address.ds, de: address.de }}>
          Show the statistics of these days
        </Link>
      }
    />
  );
}
