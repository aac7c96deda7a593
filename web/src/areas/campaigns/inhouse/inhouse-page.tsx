import { Button } from "@mantine/core";
import { EARLIEST_DATE, type InhouseRow, TEXTS, loadingText, notFoundText } from "@millrace/contract";
import { dayOf } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import { Suspense, lazy, useMemo, useState } from "react";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { PATHS } from "../../../shared/paths.ts";
import type { Prefetch } from "../../../shared/prefetch.ts";
import { useMayUse } from "../../../shared/session.ts";
import { DateRangeFilter } from "../../../ui/fields/date-range-filter.tsx";
import { SearchBox } from "../../../ui/fields/search-box.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { countText } from "../../../ui/pager/count-text.ts";
import { ListPager } from "../../../shared/list-pager.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { LiveMark } from "../../../ui/states/live-mark.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { type CampaignsAddress, readCampaignsAddress } from "../campaigns-address.ts";
import classes from "../pages/campaigns-page.module.css";
import { useSwitching } from "../use-switching.ts";
import { inhouseQuery, useInhouseList, useSetInhouseStatus } from "./inhouse-api.ts";
import { type InhouseLine, inhouseColumns } from "./inhouse-columns.tsx";

const DeleteInhouse = lazy(async () => ({ default: (await import("./delete-inhouse.tsx")).DeleteInhouse }));

const SKELETON_ROWS = 4;
const ROW_HEIGHT = 76;

export const prefetch: Prefetch = (client, { search }) => {
  client.query(inhouseQuery(readCampaignsAddress(search))).catch(() => undefined);
};

/** The account's cross promotions with their figures. */
export function InhousePage() {
  const [address, change] = useAddress(readCampaignsAddress);
  const { ds, de, search } = address;
  const today = dayOf(Date.now());
  const live = de === today;
  const list = useInhouseList(address, live);
  const mayManage = useMayUse()("inhouse.manage");
  const [deleting, setDeleting] = useState<InhouseRow | null>(null);
  const { pending, refused, onSwitch } = useSwitching(useSetInhouseStatus().mutateAsync);
  const page = list.data;
  const lines = useMemo(
    () => page?.campaigns.map((campaign): InhouseLine => ({ campaign, figures: campaign })) ?? [],
    [page],
  );
  const columns = useMemo(
    () => inhouseColumns({ mayManage, pending, refused, onSwitch, onDelete: setDeleting }),
    [mayManage, pending, refused, onSwitch],
  );
  // A changed filter starts at the first page again.
  const narrow = (part: Partial<CampaignsAddress>) => change({ ...part, p: 0 });

  return (
    <>
      <PageTitle text="Cross Promo" />
      <div className={classes.bar} role="group" aria-label="Filters">
        <DateRangeFilter range={{ ds, de }} limits={{ ds: EARLIEST_DATE, de: today }} onApply={narrow} />
        <div className={classes.search}>
          <SearchBox label="Search campaign" value={search} onSearch={(text) => narrow({ search: text })} />
        </div>
        <div className={classes.aside}>
          {live ? <LiveMark updatedAtMs={list.dataUpdatedAt} failing={list.isError} /> : null}
          {mayManage ? <AddInhouse label="Add InHouse Campaign" /> : null}
        </div>
      </div>
      <LoadedBlock
        title="Cross promotions"
        aside={(loaded) => (loaded ? countText(loaded.pager, loaded.campaigns.length) : undefined)}
        query={list}
        loading={loadingText("cross promotions")}
        retry={TEXTS.tryAgain}
        skeleton={<TableSkeleton rows={SKELETON_ROWS} columns={7} rowHeight={ROW_HEIGHT} />}
        isEmpty={(loaded) => loaded.campaigns.length === 0}
        empty={<NoInhouse search={search} mayManage={mayManage} onShowAll={() => narrow({ search: "" })} />}
      >
        {(loaded) => (
          <div className={classes.list}>
            <DataTable
              caption="Cross promotions and their figures"
              columns={columns}
              cards
              rows={lines}
              rowId={({ campaign }) => campaign?.uuid ?? "total"}
              total={{ campaign: null, figures: loaded.totals }}
            />
            <ListPager pager={loaded.pager} onPage={(p) => change({ p })} />
          </div>
        )}
      </LoadedBlock>
      <p className={classes.note}>
        Cross promotions are free of charge: they earn and cost nothing. App statistics list them under the network
        “Cross Promo”.
      </p>
      {deleting === null ? null : (
        <Suspense>
          <DeleteInhouse campaign={deleting} onClose={() => setDeleting(null)} />
        </Suspense>
      )}
    </>
  );
}

const AddInhouse = ({ label }: { label: string }) => (
  <Button renderRoot={(props) => <Link {...props} to={PATHS.inhouseAdd} search={{}} />}>{label}</Button>
);

interface NoInhouseProps {
  search: string;
  mayManage: boolean;
  onShowAll: () => void;
}

function NoInhouse({ search, mayManage, onShowAll }: NoInhouseProps) {
  if (search === "") {
    return (
      <EmptyNote
        title={notFoundText("cross promotions")}
        why="Show ads of one of your apps in your other apps, free of charge: where nobody bought the place, or whenever bids are lower than your price."
        action={mayManage ? <AddInhouse label="Add the first cross promotion" /> : undefined}
      />
    );
  }
  return (
    <EmptyNote
      title={notFoundText("cross promotions")}
      why={`No cross promotion of this account has “${search}” in its title.`}
      action={
        <Button variant="default" onClick={onShowAll}>
          Show all cross promotions
        </Button>
      }
    />
  );
}
