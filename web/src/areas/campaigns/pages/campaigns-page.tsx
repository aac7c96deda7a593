import { notFoundText } from "@millrace/contract";
import { PageTitle } from "../../../ui/page-title.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { SupportText } from "../../../shared/support-text.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";

/** The advertiser's home page. Campaigns are not built yet, and the page says so. */
export function CampaignsPage() {
  return (
    <>
      <PageTitle text="Campaigns" />
      <Panel title="Campaigns">
        <EmptyNote
          title={notFoundText("campaigns")}
          why="In this version, all ads come from demand partners. Advertiser campaigns are not available yet."
          action={<SupportText text="To refill your campaign balance, contact support." />}
        />
      </Panel>
    </>
  );
}
