import { type AppMediation, CAMPAIGN_PROVIDER, type PartnerScore, loadingText, notFoundText } from "@millrace/contract";
import { daysIn, formatCountExact, formatDay } from "@millrace/units";
import { useMemo } from "react";
import { comparisonText } from "../../../shared/filters/comparison-filter.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { type BlockQuery, Loaded } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import type { MediationAddress } from "./address.ts";
import { ComparedPartners } from "./compared-partners.tsx";
import { KeysLink, OtherPartners } from "./other-partners.tsx";
import { type ScoreLine, scoreColumns } from "./score-columns.tsx";
import classes from "./scorecard.module.css";

interface ScorecardProps {
  uuid: string;
  query: BlockQuery<AppMediation>;
  address: MediationAddress;
  onChange: (change: Partial<MediationAddress>) => void;
}

/** Partners that take part, or did in these days; the others are folded below. */
const isListed = ({ active, keyed, asked, revenue }: PartnerScore): boolean =>
  (active && keyed.length > 0) || asked > 0 || revenue > 0;

/** What each partner did in the app's auctions and what it earned, with its switch. */
export function Scorecard({ uuid, query, address, onChange }: ScorecardProps) {
  const listed = query.data?.partners.filter(isListed) ?? [];
  // Campaigns have no switch, and are listed only in days in which they took part.
  const switched = listed.filter(({ id }) => id !== CAMPAIGN_PROVIDER.id);
  const taking = switched.filter(({ active, enabled }) => active && enabled).length;
  return (
    <Panel title="Partners" aside={query.data ? `${taking} on, ${switched.length - taking} off` : undefined}>
      <Loaded
        query={query}
        loading={loadingText("partners")}
        skeleton={<TableSkeleton rows={8} columns={9} rowHeight={46} />}
      >
        {(data) => (
          <>
            {listed.length === 0 ? (
              <EmptyNote
                title={notFoundText("partners with keys")}
                why="A partner bids once the app has its keys."
                action={<KeysLink uuid={uuid} />}
              />
            ) : (
              <Scores uuid={uuid} data={data} listed={listed} address={address} onChange={onChange} />
            )}
            <OtherPartners uuid={uuid} partners={data.partners.filter((partner) => !isListed(partner))} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

interface ScoresProps extends Omit<ScorecardProps, "query"> {
  data: AppMediation;
  listed: readonly PartnerScore[];
}

function Scores({ uuid, data, listed, address, onChange }: ScoresProps) {
  const { partner: compared } = address;
  const before = comparisonText("previous", daysIn(address));
  const against = data.compared_until === null ? before : `${before}, up to the same time`;
  const columns = useMemo(() => scoreColumns({ uuid, address, against, onChange }), [uuid, address, against, onChange]);
  const isUnknown = data.unknown.requests > 0;
  const rows = listed.map((partner): ScoreLine => ({ partner, figures: partner, isUnknown }));
  const pair = compared.flatMap((id) => listed.find((partner) => partner.id === id) ?? []);
  return (
    <div className={classes.scores}>
      <Unknown {...data.unknown} />
      <DataTable
        cards
        caption="Partners of the app"
        columns={columns}
        rows={rows}
        rowId={({ partner }) => partner?.id ?? ""}
        total={{ partner: null, figures: data.total, isUnknown }}
      />
      <p className={classes.note}>
        A switch acts from the next auction. Rates are of the requests sent to a partner; its win rate is of its bids.
        Times and median bids are within 2%. Choose two partners to see them side by side.
      </p>
      {pair.length === 0 ? null : (
        <ComparedPartners
          pair={pair}
          against={against}
          isUnknown={isUnknown}
          onClose={() => onChange({ partner: [] })}
        />
      )}
    </div>
  );
}

/** What the counts lack: an earlier version did not record what partners did. */
function Unknown({ requests, since }: AppMediation["unknown"]) {
  if (requests === 0) return null;
  return (
    <p className={classes.unknown}>
      What partners answered is recorded {since === null ? "from the next request on" : `since ${formatDay(since)}`}.
      Asked, rates, bids and times are without {formatCountExact(requests)} requests sent to partners before; revenue
      has them all.
    </p>
  );
}
