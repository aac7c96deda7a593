import { ChoiceField } from "../../../ui/form/choice-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { type Draft, MOST_ADDRESS } from "./draft.ts";
import classes from "./form.module.css";
import type { CampaignForm } from "./use-campaign-form.ts";

/** What an address or id tells about the app. */
export function appOf(url: string): Partial<Draft> {
  const isAddress = /^https?:\/\//i.test(url);
  const number = /(?:^|\/)id(\d+)|^(\d+)$/.exec(url);
  const name = isAddress ? (new URL(url).searchParams.get("id") ?? "") : number ? "" : url;
  const id = number?.[1] ?? number?.[2] ?? name;
  return {
    manual: true,
    store_id: id,
    bundle_id: name,
    app_platform: number ? "ios" : "android",
    app_logo: null,
    site: isAddress && url.length <= MOST_ADDRESS ? url : "",
  };
}

const PLATFORMS = [
  { value: "ios", label: "iOS" },
  { value: "android", label: "Android" },
];

/** The fields of an app that its store cannot tell now. */
export function AppByHand({ form }: { form: CampaignForm }) {
  return (
    <div className={classes.stack}>
      <ChoiceField {...form.field("app_platform")} label="App's platform" options={PLATFORMS} />
      <div className={classes.pair}>
        <TextField
          {...form.field("store_id")}
          label="Store id"
          maxLength={100}
          autoCapitalize="none"
          autoComplete="off"
        />
        <TextField
          {...form.field("bundle_id")}
          label="Bundle id"
          maxLength={200}
          autoCapitalize="none"
          autoComplete="off"
        />
      </div>
      <TextField
        {...form.field("site")}
        label="Store page (optional)"
        inputMode="url"
        maxLength={100}
        autoComplete="off"
      />
    </div>
  );
}
