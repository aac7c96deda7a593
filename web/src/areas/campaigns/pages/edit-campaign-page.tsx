import { loadingText, notFoundText } from "@millrace/contract";
import { Link, useParams } from "@tanstack/react-router";
import { isMissing } from "../../../shared/apps/no-app.tsx";
import { PATHS } from "../../../shared/paths.ts";
import { PageTitle } from "../../../ui/page-title.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { useCampaign } from "../api.ts";
import { CampaignForm } from "../form/campaign-form.tsx";
import { draftOf } from "../form/draft.ts";
import { FormSkeleton, Heading, useArrival } from "../form/form-page.tsx";
import classes from "../form/form.module.css";
import { StatusPill } from "../parts/pills.tsx";

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
        {({ campaign: saved, revision, ...choices }) => (
          // Reloaded after a change by somebody else, it begins anew.
          <CampaignForm
            key={revision}
            uuid={uuid}
            revision={revision}
            initial={draftOf(saved)}
            choices={choices}
            onSaved={onSaved}
            onReload={campaign.refetch}
          />
        )}
      </Loaded>
    </>
  );
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
