import type { AppSettings } from "@millrace/contract";
import { setLearning } from "@millrace/contract";
import { useState } from "react";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { useSetLearning } from "../api.ts";
import { SettingForm } from "./setting-form.tsx";
import classes from "./settings.module.css";
import { useSetting } from "./use-setting.ts";

interface Draft {
  skip_partners: boolean;
  /** As typed, in percent. */
  exploration: string;
}

const draftOf = ({ skip_partners, exploration }: AppSettings["learning"]): Draft => ({
  skip_partners,
  exploration: String(exploration),
});
const learningOf = ({ skip_partners, exploration }: Draft): AppSettings["learning"] => ({
  skip_partners,
  exploration: /^\s*\d{1,3}\s*$/.test(exploration) ? Number(exploration) : Number.NaN,
});

/** What the app's auctions learn from its traffic. */
export function Learning({ settings: { app, learning, revisions } }: { settings: AppSettings }) {
  const set = useSetLearning(app.uuid);
  const [fault, setFault] = useState<string | undefined>();
  const setting = useSetting({
    saved: draftOf(learning),
    keyOf: (draft) => JSON.stringify(learningOf(draft)),
    check: (draft) => {
      const issue = setLearning.body.safeParse(learningOf(draft)).error?.issues[0]?.message;
      setFault(issue);
      return issue ?? null;
    },
    revision: revisions.learning,
    save: async (draft, revision) => {
      const now = await set.mutateAsync({ ...learningOf(draft), revision });
      return { saved: draftOf(now.learning), revision: now.revisions.learning };
    },
  });
  const change = (next: Partial<Draft>) => {
    setFault(undefined);
    setting.change({ ...setting.draft, ...next });
  };
  return (
    <SettingForm
      title="Learned from traffic"
      about="What auctions learn from earlier requests. Whatever is chosen at random stands in the auction's explanation with its probability."
      action="Save what is learned"
      setting={setting}
    >
      <div className={classes.flags}>
        <CheckboxField
          name="skip_partners"
          label={
            <>
              <b>Skip sources that never have an ad</b>
              <small>
                A partner that bid on fewer than 3 in 1,000 requests of a kind is not asked, and a line item whose
                adapter had an ad for fewer is not tried. 2% of these requests reach them all the same, so that a source
                that begins to have ads is noticed.
              </small>
            </>
          }
          value={setting.draft.skip_partners}
          error={undefined}
          onChange={(on) => change({ skip_partners: on })}
        />
        <TextField
          name="exploration"
          label="Exploration in %"
          description="In this share of the auctions, line items are ranked at prices drawn from what is believed of them, so that one that pays more than expected is found out. At most 50."
          inputMode="numeric"
          autoComplete="off"
          value={setting.draft.exploration}
          error={fault}
          onChange={(exploration) => change({ exploration })}
        />
      </div>
    </SettingForm>
  );
}
