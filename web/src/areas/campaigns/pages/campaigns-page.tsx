import { Button } from "@mantine/core";
import { type CampaignRow, EARLIEST_DATE, TEXTS, loadingText, notFoundText } from "@millrace/contract";
import { dayOf } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import { Suspense, lazy, useMemo, useState } from "react";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { PATHS } from "../../../shared/paths.ts";
import type { Prefetch } from "../../../shared/prefetch.ts";
import { useMayUse } from "../../../shared/session.ts";
import { SupportText } from "../../../shared/support-text.tsx";
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
import { campaignsQuery, useCampaigns, useSetStatus } from "../api.ts";
import { type CampaignsAddress, readCampaignsAddress } from "../campaigns-address.ts";
import { type CampaignLine, campaignColumns } from "../parts/campaign-columns.tsx";
import { useSwitching } from "../use-switching.ts";
import classes from "./campaigns-page.module.css";

const SpendingModal = lazy(async () => ({ default: (await import("../parts/spending-modal.tsx")).SpendingModal }));
const DeleteCampaign = lazy(async () => ({ default: (await import("../parts/delete-campaign.tsx")).DeleteCampaign }));

const CampaignFirstSteps = lazy(async () => ({
  default: (await import("../first-steps/campaign-first-steps.tsx")).CampaignFirstSteps,
}));

const SKELETON_ROWS = 6;
const ROW_HEIGHT = 92;

export const prefetch: Prefetch = (client, { search }) => {
  client.query(campaignsQuery(readCampaignsAddress(search))).catch(() => undefined);
};

/** The account's campaigns with their figures; the advertiser's home page. */
export function CampaignsPage() {
  const [address, change] = useAddress(readCampaignsAddress);
  const { ds, de, search } = address;
  const today = dayOf(Date.now());
  const live = de === today;
  const campaigns = useCampaigns(address, live);
  const mayManage = useMayUse()("campaigns.manage");
  const [deleting, setDeleting] = useState<CampaignRow | null>(null);
  const [asked, setAsked] = useState<CampaignRow | null>(null);
  const { pending, refused, onSwitch } = useSwitching(useSetStatus().mutateAsync);
  const page = campaigns.data;
  const lines = useMemo(
    () => page?.campaigns.map((campaign): CampaignLine => ({ campaign, figures: campaign })) ?? [],
    [page],
  );
  const columns = useMemo(
    () => campaignColumns({ mayManage, pending, refused, onSwitch, onDelete: setDeleting, onWhy: setAsked }),
    [mayManage, pending, refused, onSwitch],
  );
  // A changed filter starts at the first page again.
  const narrow = (part: Partial<CampaignsAddress>) => change({ ...part, p: 0 });

  return (
    <>
      <PageTitle text="Campaigns" />
      <div className={classes.bar} role="group" aria-label="Filters">
        <DateRangeFilter range={{ ds, de }} limits={{ ds: EARLIEST_DATE, de: today }} onApply={narrow} />
        <div className={classes.search}>
          <SearchBox label="Search campaign" value={search} onSearch={(text) => narrow({ search: text })} />
        </div>
        <div className={classes.aside}>
          {live ? <LiveMark updatedAtMs={campaigns.dataUpdatedAt} failing={campaigns.isError} /> : null}
          {mayManage ? <AddCampaign label="Add Campaign" /> : null}
        </div>
      </div>
      {/* Whoever has bought something in these days needs no first steps. */}
      {page?.totals.impressions === 0 ? (
        <Suspense>
          <CampaignFirstSteps />
        </Suspense>
      ) : null}
      <LoadedBlock
        title="Campaigns"
        aside={(loaded) => (loaded ? countText(loaded.pager, loaded.campaigns.length) : undefined)}
        query={campaigns}
        loading={loadingText("campaigns")}
        retry={TEXTS.tryAgain}
        skeleton={<TableSkeleton rows={SKELETON_ROWS} columns={7} rowHeight={ROW_HEIGHT} />}
        isEmpty={(loaded) => loaded.campaigns.length === 0}
        empty={<NoCampaigns search={search} mayManage={mayManage} onShowAll={() => narrow({ search: "" })} />}
      >
        {(loaded) => (
          <div className={classes.list}>
            <DataTable
              caption="Campaigns and their figures"
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
        <SupportText text="To refill your campaign balance, contact support." />
      </p>
      {asked === null ? null : (
        <Suspense>
          <SpendingModal campaign={asked} days={{ ds, de }} onClose={() => setAsked(null)} />
        </Suspense>
      )}
      {deleting === null ? null : (
        <Suspense>
          <DeleteCampaign campaign={deleting} onClose={() => setDeleting(null)} />
        </Suspense>
      )}
    </>
  );
}

const AddCampaign = ({ label }: { label: string }) => (
  <Button renderRoot={(props) => <Link {...props} to={PATHS.campaignAdd} search={{}} />}>{label}</Button>
);

interface NoCampaignsProps {
  search: string;
  mayManage: boolean;
  onShowAll: () => void;
}

function NoCampaigns({ search, mayManage, onShowAll }: NoCampaignsProps) {
  if (search === "") {
    return (
      <EmptyNote
        title={notFoundText("campaigns")}
        why="This account has no campaigns yet. A campaign has an app, a schedule, targeting, a bid, a budget and creatives."
        action={mayManage ? <AddCampaign label="Add the first campaign" /> : undefined}
      />
    );
  }
  return (
    <EmptyNote
      title={notFoundText("campaigns")}
      why={`No campaign of this account has “${search}” in its name.`}
      action={
        <Button variant="default" onClick={onShowAll}>
          Show all campaigns
        </Button>
      }
    />
  );
}
