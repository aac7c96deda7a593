import { type AppSettings, mayHaveFlag, TEXTS } from "@millrace/contract";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import { useSetFlags } from "../api.ts";
import { SettingForm } from "./setting-form.tsx";
import classes from "./settings.module.css";
import { useSetting } from "./use-setting.ts";

type FlagName = keyof AppSettings["flags"];

const FLAGS = [
  { name: "kids", label: "For children", about: "Ads follow COPPA: no device ids and no adult content." },
  { name: "adult", label: "For adults only", about: "Ads for adults may be shown." },
  { name: "is_gaming", label: "The app is a game", about: "Partners bid on games and other apps differently." },
  { name: "only_image", label: "Images only", about: "No video, audio or advertiser scripts." },
  { name: "muted", label: "Muted", about: "Video ads start without sound." },
] as const satisfies readonly { name: FlagName; label: string; about: string }[];

/** The app's audience and what its ads may do; the flags depend on the platform. */
export function Flags({ settings: { app, flags, revisions } }: { settings: AppSettings }) {
  const set = useSetFlags(app.uuid);
  const isAvailable = (name: FlagName) => mayHaveFlag(name, app.platform);
  const isSet = (name: FlagName) => flags[name] && isAvailable(name);
  const setting = useSetting({
    // Hidden flags are not sent, because the platform does not have them.
    saved: {
      kids: isSet("kids"),
      adult: isSet("adult"),
      is_gaming: isSet("is_gaming"),
      only_image: isSet("only_image"),
      muted: isSet("muted"),
    },
    keyOf: (draft) => FLAGS.map(({ name }) => draft[name]).join(),
    check: ({ kids, adult }) => (kids && adult ? TEXTS.kidsAndAdult : null),
    revision: revisions.flags,
    save: async (draft, revision) => {
      const reply = await set.mutateAsync({ ...draft, revision });
      return { saved: reply.flags, revision: reply.revisions.flags };
    },
  });
  const { draft, change } = setting;
  return (
    <SettingForm
      title="The app and its ads"
      about="The app's audience, and what its ads may contain."
      action="Save"
      setting={setting}
    >
      <div className={classes.flags}>
        {FLAGS.filter(({ name }) => isAvailable(name)).map(({ name, label, about }) => (
          <CheckboxField
            key={name}
            name={name}
            label={
              <>
                <b>{label}</b>
                <small>{about}</small>
              </>
            }
            value={draft[name]}
            error={undefined}
            onChange={(on) => change({ ...draft, [name]: on })}
          />
        ))}
      </div>
    </SettingForm>
  );
}
