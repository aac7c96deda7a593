import { loadingText, notFoundText } from "@millrace/contract";
import { Link, useParams } from "@tanstack/react-router";
import { isMissing } from "../../../shared/apps/no-app.tsx";
import { PATHS } from "../../../shared/paths.ts";
import { PageTitle } from "../../../ui/page-title.tsx";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { FormSkeleton, Heading, useArrival } from "../form/form-page.tsx";
import formClasses from "../form/form.module.css";
import { StatusPill } from "../parts/pills.tsx";
import { CROSS_PROMO } from "./add-inhouse-page.tsx";
import { useInhouse } from "./inhouse-api.ts";
import { inhouseDraftOf } from "./inhouse-draft.ts";
import { InhouseForm } from "./inhouse-form.tsx";

/** The form of a saved in-house campaign. */
export function EditInhousePage() {
  const { uuid = "" } = useParams({ strict: false });
  // Remounts for another campaign, so that unsaved input is never saved to the wrong one.
  return <EditInhouse key={uuid} uuid={uuid} />;
}

function EditInhouse({ uuid }: { uuid: string }) {
  const inhouse = useInhouse(uuid);
  const onSaved = useArrival("The campaign is saved.", PATHS.inhouse);
  if (isMissing(inhouse.error)) return <NoCampaign />;
  const shown = inhouse.data?.campaign;
  return (
    <>
      <PageTitle text={shown ? `Edit · ${shown.title}` : "Edit InHouse campaign"}>
        <Heading text={shown ? shown.title : "Edit InHouse campaign"} above={CROSS_PROMO}>
          {shown ? <StatusPill status={shown.campaign_status} /> : null}
          {shown ? <span className={formClasses.reason}>{shown.status_reason}</span> : null}
        </Heading>
      </PageTitle>
      <Loaded query={inhouse} loading={loadingText("the campaign")} skeleton={<FormSkeleton />}>
        {(saved) => (
          // Reloaded after a change by somebody else, it begins anew.
          <InhouseForm
            key={saved.revision}
            uuid={uuid}
            revision={saved.revision}
            initial={inhouseDraftOf(saved)}
            choices={saved}
            onSaved={onSaved}
            onReload={inhouse.refetch}
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
        title={notFoundText("in-house campaign")}
        why="It does not exist, or you have no access to it."
        action={
          <Link to={PATHS.inhouse} search={{}}>
            Show my cross promotions
          </Link>
        }
      />
    </>
  );
}
