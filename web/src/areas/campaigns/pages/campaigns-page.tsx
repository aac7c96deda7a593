import { notFoundText } from "@millrace/contract";
import { PageTitle } from "../../../ui/page-title.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { SupportText } from "../../../shared/support-text.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";

/** The advertisers' home. This version sells publishers' inventory to demand partners only, and says so. */
export function CampaignsPage() {
  return (
    <>
      <PageTitle text="Campaigns" />
      <Panel title="Campaigns">
        <EmptyNote
          title={notFoundText("campaigns")}
          why="Ads of this version come from demand partners. Campaigns of advertisers' own are not part of it yet."
          action={<SupportText text="To refill your campaign balance, contact support." />}
        />
      </Panel>
    </>
  );
}
