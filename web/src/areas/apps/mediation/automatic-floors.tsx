import {
  type AutomaticFloors,
  automaticFloors,
  type FloorCell,
  type FloorLift,
  loadingText,
  switchAutomaticFloors,
  TEXTS,
  UNKNOWN_COUNTRY,
} from "@millrace/contract";
import { formatCountExact, formatCpm, formatMoneyTo } from "@millrace/units";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useRef } from "react";
import { HelpLink } from "../../../shared/help-link.tsx";
import { callApi, messageOf } from "../../../shared/call-api.ts";
import { Switch } from "../../../ui/form/switch.tsx";
import { NameOverLine } from "../../../ui/name-over-line.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { type Column, DataTable } from "../../../ui/table/data-table.tsx";
import panels from "../parts/panels.module.css";
import classes from "./automatic-floors.module.css";
import { countryText, formatText } from "./floor-list.tsx";
import { useScrollIntoView } from "./use-scroll-into-view.ts";

const LEARNED_EVERY_MS = 60_000;

/** Floors that are learned above the publisher's own: the switch, what they are, and what they changed. */
export function AutomaticFloorsPanel({ uuid }: { uuid: string }) {
  const client = useQueryClient();
  const key = ["automatic_floors", uuid];
  const params = { id: uuid };
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callApi(automaticFloors, { params, signal }),
    refetchInterval: ({ state }) => state.data?.enabled === true && LEARNED_EVERY_MS,
  });
  const turn = useMutation({
    mutationFn: (enabled: boolean) => callApi(switchAutomaticFloors, { params, body: { enabled } }),
    onSuccess: (reply) => client.setQueryData(key, reply),
  });
  const place = useRef<HTMLDivElement>(null);
  useScrollIntoView(place, useLocation({ select: ({ hash }) => hash === "automatic-floors" }));
  return (
    <div ref={place}>
      <Panel
        title="Automatic floors"
        aside={
          query.data === undefined ? undefined : (
            <Switch
              label="Automatic floors"
              words={query.data.enabled ? "on" : "off"}
              on={query.data.enabled}
              pending={turn.isPending}
              onChange={(on) => turn.mutate(on)}
            />
          )
        }
      >
        <p className={panels.about}>
          For each format and country with enough requests, a floor above yours is learned from what requests earn. 5%
          of the requests always keep your floor, to compare with. Until a gain over them is proven, 30% of the requests
          try the automatic floor, some of them a step of 10% beside it; then all others have it. Once a loss is
          possible again, most requests go back to your floor. No floor is ever below yours.{" "}
          <HelpLink to="publishers/mediation#automatic-floors">How floors are learned</HelpLink>
        </p>
        {turn.isError ? (
          <p className={classes.refused} role="alert">
            {messageOf(turn.error)}
          </p>
        ) : null}
        <Loaded
          query={query}
          loading={loadingText("automatic floors")}
          skeleton={<TableSkeleton rows={3} columns={5} rowHeight={46} />}
        >
          {(floors) => <Floors floors={floors} />}
        </Loaded>
      </Panel>
    </div>
  );
}

function Floors({ floors: { enabled, total, cells, more } }: { floors: AutomaticFloors }) {
  if (!enabled) return <EmptyNote title="Automatic floors are off" why="All requests have the floors that you set." />;
  if (total === null) {
    return (
      <EmptyNote
        title="Nothing is learned yet"
        why="It begins within the hour where a format had 1,000 requests from a country in the last 7 days. All others keep your floors."
      />
    );
  }
  return (
    <>
      <dl className={classes.total}>
        <div>
          <dt>Revenue of a request</dt>
          <dd data-state={stateOf(total)}>{total.lift === null ? "not known yet" : signed(total.lift)}</dd>
          <dd>
            {total.lift === null ? "nothing to compare yet" : `against your floors; possible: ${rangeText(total)}`}
          </dd>
        </div>
        <div>
          <dt>Compared</dt>
          <dd>{formatCountExact(total.requests)}</dd>
          <dd>with automatic floors, and {formatCountExact(total.held)} held out, in 28 days</dd>
        </div>
      </dl>
      <DataTable
        cards
        caption="Automatic floors by country and format"
        columns={COLUMNS}
        rows={cells}
        rowId={({ country, format }) => `${country} ${format}`}
      />
      {more === 0 ? null : (
        <p className={classes.more}>
          {more === 1 ? "1 other has" : `${formatCountExact(more)} others have`} fewer requests.
        </p>
      )}
    </>
  );
}

const STATE_WORDS = { learning: "learning", holds: "holds", fell_back: "fell back" } as const;

const COLUMNS: Column<FloorCell>[] = [
  {
    id: "cell",
    head: "Requests from",
    cell: ({ country, format }) => (
      <NameOverLine
        name={country === UNKNOWN_COUNTRY ? TEXTS.unknownCountry : countryText(country)}
        line={formatText(format)}
      />
    ),
  },
  {
    id: "floor",
    head: "Automatic floor",
    numeric: true,
    leads: true,
    cell: ({ floor }) => formatMoneyTo(floor, 4),
    exact: ({ floor }) => formatCpm(floor),
  },
  {
    id: "own",
    head: "Your floor",
    numeric: true,
    cell: ({ own }) => (own === 0 ? "none" : formatCpm(own)),
  },
  {
    id: "state",
    head: "State",
    cell: (cell) => (
      <span className={classes.state} data-state={cell.state}>
        <b>{STATE_WORDS[cell.state]}</b>: {rangeText(cell)}
      </span>
    ),
  },
  {
    id: "lift",
    head: "Lift",
    numeric: true,
    leads: true,
    cell: ({ lift }) => (lift === null ? "–" : signed(lift)),
  },
  {
    id: "requests",
    head: "Requests",
    numeric: true,
    cell: ({ requests }) => formatCountExact(requests),
  },
  {
    id: "held",
    head: "Held out",
    numeric: true,
    cell: ({ held }) => formatCountExact(held),
  },
];

const stateOf = ({ low, high }: FloorLift) =>
  low !== null && low > 0 ? "holds" : high !== null && high < 0 ? "fell_back" : "learning";

const signed = (percent: number): string => {
  const digits = Math.abs(percent).toFixed(1);
  return digits === "0.0" ? "0.0%" : `${percent < 0 ? "−" : "+"}${digits}%`;
};

/** The effects that are still possible. */
function rangeText({ low, high }: FloorLift): string {
  if (low === null && high === null) return "too few requests to tell";
  if (high === null) return `at least ${signed(low ?? 0)}`;
  return low === null ? `at most ${signed(high)}` : `${signed(low)} to ${signed(high)}`;
}
