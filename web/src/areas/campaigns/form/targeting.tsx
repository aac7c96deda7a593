import { Suspense, lazy } from "react";
import { ChoiceField } from "../../../ui/form/choice-field.tsx";
import { ChoicesField } from "../../../ui/form/choices-field.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { Countries, Versions } from "./countries-and-versions.tsx";
import classes from "./form.module.css";
import type { CampaignForm } from "./use-campaign-form.ts";

// A new campaign has no countries yet.
const Regions = lazy(async () => ({ default: (await import("./regions.tsx")).Regions }));

/** What the selectors of the form offer. */
export interface Choices {
  /** Names by code. */
  countries: Readonly<Record<string, string>>;
  versions: { ios: readonly string[]; android: readonly string[] };
  banners: readonly { width: number; height: number }[];
}

const PLATFORMS = [
  { value: "iphone", label: "iPhone" },
  { value: "ipad", label: "iPad" },
  { value: "android", label: "Android" },
];
const NETWORKS = [
  { value: "any", label: "Any network" },
  { value: "wifi", label: "Wi-Fi only" },
];

/** Who sees the campaign: countries, devices, versions and networks. */
export function Targeting({ form, choices }: { form: CampaignForm; choices: Choices }) {
  const { draft, set } = form;
  return (
    <Panel title="Targeting">
      <div className={classes.stack}>
        <Countries form={form} countries={choices.countries} />
        {draft.country.length === 0 ? null : (
          <Suspense fallback={<RowsSkeleton rows={1} height={34} />}>
            <Regions form={form} countries={choices.countries} />
          </Suspense>
        )}
        <div className={classes.pair}>
          <ChoicesField
            name="platform"
            label="Platform"
            options={PLATFORMS}
            chosen={draft.platform}
            error={form.errors["platform"]}
            onChange={(platform) => set({ platform })}
          />
          <ChoiceField {...form.field("network")} label="Network" options={NETWORKS} />
        </div>
        <div className={classes.pair}>
          <Versions form={form} os="ios" name="iOS" versions={choices.versions.ios} />
          <Versions form={form} os="android" name="Android" versions={choices.versions.android} />
        </div>
      </div>
    </Panel>
  );
}
