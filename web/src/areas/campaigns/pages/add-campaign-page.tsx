import { loadingText } from "@millrace/contract";
import { useState } from "react";
import { PageTitle } from "../../../ui/page-title.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { useChoices } from "../api.ts";
import { CampaignForm } from "../form/campaign-form.tsx";
import { newDraft } from "../form/draft.ts";
import { FormSkeleton, Heading, useArrival } from "../form/form-page.tsx";

/** The form of a new campaign. */
export function AddCampaignPage() {
  const choices = useChoices();
  const [draft] = useState(() => newDraft(Date.now()));
  const onSaved = useArrival("The campaign is added. Its creatives are shown once they are approved.");
  return (
    <>
      <PageTitle text="Add campaign">
        <Heading text="Add campaign" />
      </PageTitle>
      <Loaded query={choices} loading={loadingText("the form")} skeleton={<FormSkeleton />}>
        {(offered) => <CampaignForm uuid={null} initial={draft} choices={offered} onSaved={onSaved} />}
      </Loaded>
    </>
  );
}
