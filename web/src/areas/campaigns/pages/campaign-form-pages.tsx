import { type Reply, type addCampaign, loadingText, notFoundText } from "@millrace/contract";
import { Link, useParams, useRouter } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { isMissing } from "../../../shared/apps/no-app.tsx";
import { LeaveGuard } from "../../../shared/form/leave-guard.tsx";
import { ownPath } from "../../../shared/own-path.ts";
import { PATHS } from "../../../shared/paths.ts";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { PageTitle } from "../../../ui/page-title.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { SkeletonBar } from "../../../ui/states/skeletons.tsx";
import { useCampaign, useChoices } from "../api.ts";
import { CampaignForm } from "../form/campaign-form.tsx";
import { draftOf, newDraft } from "../form/draft.ts";
import classes from "../form/form.module.css";
import { StatusPill } from "../parts/pills.tsx";

/** The form of a new campaign. */
export function AddCampaignPage() {
  const choices = useChoices();
  const [draft] = useState(() => newDraft(Date.now()));
  const onSaved = useArrival("The campaign is added. Its creatives are reviewed before they are shown.");
  return (
    <>
      <PageTitle text="Add campaign">
        <Heading text="Add campaign" />
      </PageTitle>
      <Loaded query={choices} loading={loadingText("the form")} skeleton={<FormSkeleton />}>
        {(offered) => (
          <LeaveGuard>
            <CampaignForm uuid={null} initial={draft} choices={offered} onSaved={onSaved} />
          </LeaveGuard>
        )}
      </Loaded>
    </>
  );
}

/** The form of a saved campaign. */
export function EditCampaignPage() {
  const { uuid = "" } = useParams({ strict: false });
  // Remounts for another campaign, so that unsaved input is never saved to the wrong one.
  return <EditCampaign key={uuid} uuid={uuid} />;
}

function EditCampaign({ uuid }: { uuid: string }) {
  const campaign = useCampaign(uuid);
  const onSaved = useArrival("The campaign is saved.");
  if (isMissing(campaign.error)) return <NoCampaign />;
  const shown = campaign.data?.campaign;
  return (
    <>
      <PageTitle text={shown ? `Edit · ${shown.name}` : "Edit campaign"}>
        <Heading text={shown ? shown.name : "Edit campaign"}>
          {shown ? <StatusPill status={shown.campaign_status} /> : null}
          {shown ? <span className={classes.reason}>{shown.status_reason}</span> : null}
        </Heading>
      </PageTitle>
      <Loaded query={campaign} loading={loadingText("the campaign")} skeleton={<FormSkeleton />}>
        {({ campaign: saved, ...choices }) => (
          <LeaveGuard>
            <CampaignForm uuid={uuid} initial={draftOf(saved)} choices={choices} onSaved={onSaved} />
          </LeaveGuard>
        )}
      </Loaded>
    </>
  );
}

function Heading({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className={classes.heading}>
      <nav aria-label="Breadcrumb">
        <Link to={PATHS.campaigns} search={{}}>
          Campaigns
        </Link>
        <span aria-hidden="true">/</span>
      </nav>
      <h1 tabIndex={-1}>{text}</h1>
      {children}
    </div>
  );
}

/** Says that the campaign is saved and goes on; nothing is unsaved any more, so nobody is asked. */
function useArrival(words: string) {
  const router = useRouter();
  const { tell } = useNotify();
  return ({ redirect_to }: Reply<typeof addCampaign>) => {
    tell(words);
    router.history.push(ownPath(redirect_to, PATHS.campaigns), undefined, { ignoreBlocker: true });
  };
}

function NoCampaign() {
  return (
    <>
      <PageTitle text="No campaign" />
      <EmptyNote
        title={notFoundText("campaign")}
        why="It does not exist, or you have no access to it."
        action={
          <Link to={PATHS.campaigns} search={{}}>
            Show my campaigns
          </Link>
        }
      />
    </>
  );
}

const FormSkeleton = () => (
  <div className={classes.columns}>
    <div className={classes.settings}>
      <SkeletonBar height="150px" />
      <SkeletonBar height="220px" />
      <SkeletonBar height="280px" />
    </div>
    <div className={classes.beside}>
      <SkeletonBar height="320px" />
    </div>
  </div>
);
