import type { AppSettings } from "@millrace/contract";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import { useSetLearning } from "../api.ts";
import { SettingForm } from "./setting-form.tsx";
import classes from "./settings.module.css";
import { useSetting } from "./use-setting.ts";

/** What the app's auctions learn from its traffic. All of it is off until the owner switches it on. */
export function Learning({ settings: { app, learning } }: { settings: AppSettings }) {
  const set = useSetLearning(app.uuid);
  const setting = useSetting({
    saved: learning,
    keyOf: (draft) => String(draft.skip_partners),
    check: () => null,
    save: async (draft) => (await set.mutateAsync(draft)).learning,
  });
  return (
    <SettingForm
      title="Learned from traffic"
      about="What auctions learn from earlier requests. A skipped partner and how likely that was stand in the auction's explanation."
      action="Save what is learned"
      setting={setting}
    >
      <div className={classes.flags}>
        <CheckboxField
          name="skip_partners"
          label={
            <>
              <b>Skip partners that never bid</b>
              <small>
                A partner that bid on fewer than 3 in 1,000 requests like this one is not asked. 2% of them are sent all
                the same, so that a partner that begins to bid is noticed.
              </small>
            </>
          }
          value={setting.draft.skip_partners}
          error={undefined}
          onChange={(on) => setting.change({ skip_partners: on })}
        />
      </div>
    </SettingForm>
  );
}
