import { type InhouseApp, PLATFORM_LABELS } from "@millrace/contract";
import { Link } from "@tanstack/react-router";
import { PATHS } from "../../../shared/paths.ts";
import { ChoicesField } from "../../../ui/form/choices-field.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Countries, Versions } from "../form/countries-and-versions.tsx";
import formClasses from "../form/form.module.css";
import { MOST_TYPED } from "../form/typed.ts";
import { promoting, systemsOf } from "./inhouse-draft.ts";
import classes from "./inhouse.module.css";
import type { InhouseForm } from "./use-inhouse-form.ts";

export interface InhouseChoices {
  apps: readonly InhouseApp[];
  countries: Readonly<Record<string, string>>;
  versions: { ios: readonly string[]; android: readonly string[] };
}

interface PartProps {
  form: InhouseForm;
  choices: InhouseChoices;
}

const nameOf = ({ name, platform }: InhouseApp) => `${name} · ${PLATFORM_LABELS[platform]}`;

/** The promoted app, and what its ad leads to. */
export function Promoted({ form, choices: { apps, countries } }: PartProps) {
  const { draft, set } = form;
  const options = Object.entries(countries).map(([value, label]) => ({ value, label }));
  const code = { maxLength: 100, autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;
  return (
    <Panel title="What is promoted">
      <div className={formClasses.stack}>
        <div className={formClasses.pair}>
          <SelectField
            {...form.field("ad_app_id")}
            onChange={(uuid) => {
              const app = apps.find((each) => each.uuid === uuid);
              const before = apps.find((each) => each.uuid === draft.ad_app_id);
              set(app ? promoting(draft, app, before) : { ad_app_id: "" });
            }}
            label="App"
            placeholder="Choose one of your apps"
            options={apps.map((app) => ({ value: app.uuid, label: nameOf(app) }))}
          />
          <TextField {...form.field("title")} label="Title" maxLength={100} autoComplete="off" />
        </div>
        <TextField {...form.field("desc")} label="Description" maxLength={300} autoComplete="off" />
        <TextField
          {...form.field("target_url")}
          {...code}
          maxLength={MOST_TYPED}
          label="Target URL"
          description="The page that a click opens, at most 100 characters."
          placeholder="https://"
          inputMode="url"
        />
        <div className={formClasses.pair}>
          <TextField {...form.field("store_id")} {...code} label="Store id" />
          <SelectField
            {...form.field("store_country")}
            label="Store country"
            placeholder="Choose a country"
            options={options}
          />
        </div>
      </div>
    </Panel>
  );
}

/** The apps, countries and devices that show it, and when. */
export function InhouseTargeting({ form, choices }: PartProps) {
  const { draft, set, errors } = form;
  const systems = systemsOf(choices.apps, draft.app_id);
  return (
    <Panel title="Where it is shown">
      <div className={formClasses.stack}>
        <div className={classes.apps}>
          <ChoicesField
            name="app_id"
            label="Applications"
            options={choices.apps.map((app) => ({ value: app.uuid, label: nameOf(app) }))}
            chosen={draft.app_id}
            error={errors["app_id"]}
            onChange={(app_id) => set({ app_id })}
          />
        </div>
        <div className={formClasses.pair}>
          <TextField
            {...form.field("price")}
            label="Compete at (CPM, optional)"
            description="It wins over every lower bid. Nobody pays. Empty: it only fills what nobody bought."
            inputMode="decimal"
            placeholder="0.00"
            maxLength={20}
            autoComplete="off"
            leftSection="$"
          />
        </div>
        <Countries form={form} countries={choices.countries} />
        <div className={formClasses.pair}>
          {systems.ios ? <Versions form={form} os="ios" name="iOS" versions={choices.versions.ios} /> : null}
          {systems.android ? (
            <Versions form={form} os="android" name="Android" versions={choices.versions.android} />
          ) : null}
        </div>
      </div>
    </Panel>
  );
}

/** An account without apps has nothing to promote. */
export const NoApps = () => (
  <p className={formClasses.hint}>
    A cross promotion needs an app. <Link to={PATHS.apps}>Add an app first</Link>.
  </p>
);
