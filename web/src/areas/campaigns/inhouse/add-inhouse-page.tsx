import { loadingText } from "@millrace/contract";
import { useState } from "react";
import { PATHS } from "../../../shared/paths.ts";
import { PageTitle } from "../../../ui/page-title.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { FormSkeleton, Heading, useArrival } from "../form/form-page.tsx";
import { useInhouseChoices } from "./inhouse-api.ts";
import { newInhouse } from "./inhouse-draft.ts";
import { InhouseForm } from "./inhouse-form.tsx";

export const CROSS_PROMO = { to: PATHS.inhouse, label: "Cross Promo" } as const;

/** The form of a new in-house campaign. */
export function AddInhousePage() {
  const choices = useInhouseChoices();
  const [draft] = useState(newInhouse);
  const onSaved = useArrival("The campaign is added.", PATHS.inhouse);
  return (
    <>
      <PageTitle text="Add InHouse campaign">
        <Heading text="Add InHouse campaign" above={CROSS_PROMO} />
      </PageTitle>
      <Loaded query={choices} loading={loadingText("the form")} skeleton={<FormSkeleton />}>
        {(offered) => <InhouseForm uuid={null} initial={draft} choices={offered} onSaved={onSaved} />}
      </Loaded>
    </>
  );
}
