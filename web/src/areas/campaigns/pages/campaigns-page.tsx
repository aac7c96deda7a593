import type { CampaignRow } from "@millrace/contract";
import { dayOf, formatMoneyExact } from "@millrace/units";
import { Link } from "@tanstack/react-router";
import { Suspense, lazy, useMemo, useState } from "react";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { PATHS } from "../../../shared/paths.ts";
import type { Prefetch } from "../../../shared/prefetch.ts";
import { useMayUse } from "../../../shared/session.ts";
import { SupportText } from "../../../shared/support-text.tsx";
import { campaignsQuery, useCampaigns, useSetStatus } from "../api.ts";
import { readCampaignsAddress } from "../campaigns-address.ts";
import { campaignColumns } from "../parts/campaign-columns.tsx";
import { CampaignList } from "../parts/campaign-list.tsx";
import { useSwitching } from "../use-switching.ts";

const SpendingModal = lazy(async () => ({ default: (await import("../parts/spending-modal.tsx")).SpendingModal }));
const DeleteCampaign = lazy(async () => ({ default: (await import("../parts/delete-campaign.tsx")).DeleteCampaign }));

const CampaignFirstSteps = lazy(async () => ({
  default: (await import("../first-steps/campaign-first-steps.tsx")).CampaignFirstSteps,
}));

export const prefetch: Prefetch = (client, { search }) => {
  client.query(campaignsQuery(readCampaignsAddress(search))).catch(() => undefined);
};

const WORDS = {
  page: "Campaigns",
  title: "Campaigns",
  what: "campaigns",
  none: "This account has no campaigns yet. A campaign has an app, a schedule, targeting, a bid, a budget and creatives.",
  notFound: (search: string) => `No campaign of this account has “${search}” in its name.`,
  add: "Add Campaign",
  addFirst: "Add the first campaign",
};

/** The account's campaigns with their figures; the advertiser's home page. */
export function CampaignsPage() {
  const [address, change] = useAddress(readCampaignsAddress);
  const { ds, de } = address;
  const today = dayOf(Date.now());
  const campaigns = useCampaigns(address, de === today);
  const mayManage = useMayUse()("campaigns.manage");
  const [deleting, setDeleting] = useState<CampaignRow | null>(null);
  const [explained, setExplained] = useState<CampaignRow | null>(null);
  const { pending, refused, onSwitch } = useSwitching(useSetStatus().mutateAsync);
  const columns = useMemo(
    () => campaignColumns({ mayManage, pending, refused, onSwitch, onDelete: setDeleting, onWhy: setExplained }),
    [mayManage, pending, refused, onSwitch],
  );
  // Whoever has bought something in these days needs no first steps.
  const firstSteps = campaigns.data?.totals.impressions === 0 && (
    <Suspense>
      <CampaignFirstSteps />
    </Suspense>
  );
  const deletedCosts = campaigns.data?.deleted_costs;
  return (
    <>
      <CampaignList
        words={WORDS}
        address={address}
        today={today}
        onChange={change}
        list={campaigns}
        columns={columns}
        skeleton={{ rows: 6, rowHeight: 92 }}
        addAt={mayManage ? PATHS.campaignAdd : null}
        before={firstSteps}
        note={
          <>
            {deletedCosts === undefined ? null : (
              <>
                {`Deleted campaigns cost another ${formatMoneyExact(deletedCosts)} in these days. `}
                <Link to={PATHS.campaignPerformance} search={{ ds, de }}>
                  Performance
                </Link>{" "}
                counts them too.{" "}
              </>
            )}
            <SupportText text="To refill your campaign balance, contact support." />
          </>
        }
      />
      {explained === null ? null : (
        <Suspense>
          <SpendingModal campaign={explained} days={{ ds, de }} onClose={() => setExplained(null)} />
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
