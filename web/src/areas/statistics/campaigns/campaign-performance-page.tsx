import { notFoundText } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { PATHS } from "../../../shared/paths.ts";
import type { Prefetch } from "../../../shared/prefetch.ts";
import { later } from "../../../ui/later.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { WhenSeen } from "../../../ui/when-seen.tsx";
import classes from "../pages/pages.module.css";
import { StatTableSkeleton } from "../parts/stat-table-later.tsx";
import { askCampaignTotals, useCampaignChoices } from "./api.ts";
import { readCampaignStatsAddress } from "./campaign-address.ts";
import { CampaignChart } from "./campaign-chart.tsx";
import { CostsByCampaigns, CostsByFormats } from "./campaign-costs.tsx";
import { CampaignCountries } from "./campaign-countries.tsx";
import { CampaignKeyFigures } from "./campaign-figures.tsx";
import { CampaignFilters } from "./campaign-filters.tsx";
import type { CampaignTableProps } from "./campaign-table.tsx";

const CampaignTable = later<CampaignTableProps>(async () => (await import("./campaign-table.tsx")).CampaignTable);

const AppleAttribution = later<Pick<CampaignTableProps, "scope">>(
  async () => (await import("./apple-attribution.tsx")).AppleAttribution,
);

export const prefetch: Prefetch = (client, { search }) => {
  const address = readCampaignStatsAddress(search);
  askCampaignTotals(client, address, address.metric);
};

/** What the account's campaigns bought. Each block loads its own part. */
export function CampaignPerformancePage() {
  const [address, change] = useAddress(readCampaignStatsAddress);
  const campaigns = useCampaignChoices()?.campaigns;
  return (
    <>
      <PageTitle text="Performance" />
      {campaigns && Object.keys(campaigns).length === 0 ? (
        <NoCampaigns />
      ) : (
        <>
          <CampaignFilters scope={address} onChange={change} />
          <div className={classes.page}>
            <CampaignKeyFigures scope={address} metric={address.metric} onMetric={(metric) => change({ metric })} />
            <div className={classes.wide}>
              <CampaignChart scope={address} metric={address.metric} />
              <CostsByCampaigns scope={address} />
            </div>
            <div className={classes.half}>
              <CampaignCountries scope={address} />
              <CostsByFormats scope={address} />
            </div>
            <TableLater scope={address} ordered={address} onChange={change} />
            <AppleLater scope={address} />
          </div>
        </>
      )}
    </>
  );
}

/** The last block of a long page: its code and figures are loaded once it is near. */
function TableLater(props: CampaignTableProps) {
  const skeleton = <StatTableSkeleton title="Statistics" />;
  return (
    <WhenSeen fallback={skeleton}>
      <CampaignTable {...props} fallback={skeleton} />
    </WhenSeen>
  );
}

/** Only campaigns for iOS have it, and it is below everything else. */
const AppleLater = ({ scope }: { scope: CampaignTableProps["scope"] }) => (
  <WhenSeen fallback={null}>
    <AppleAttribution scope={scope} fallback={null} />
  </WhenSeen>
);

function NoCampaigns() {
  return (
    <EmptyNote
      title={notFoundText("campaigns")}
      why="Statistics start with the first campaign of this account."
      action={
        <Link to={PATHS.campaigns} search={{}}>
          Go to campaigns
        </Link>
      }
    />
  );
}
