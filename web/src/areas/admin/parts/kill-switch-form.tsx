import { NewKillSwitch } from "@millrace/contract";
import { z } from "zod";
import { COUNTRY_OPTIONS } from "../../../shared/countries.ts";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useAddKillSwitch } from "../partners-api.ts";
import classes from "./parts.module.css";

/** No partner has this id. */
const SDK = "-";
const CODES = new Set(COUNTRY_OPTIONS.map(({ value }) => value));

const Typed = z.object({
  partner: z.string().min(1, "Choose what is switched off"),
  app: z.string(),
  sdk_from: z.string(),
  sdk_to: z.string(),
  countries: z.string(),
  reason: z.string(),
});
type Typed = Partial<z.output<typeof Typed>>;

const orNull = (typed = ""): string | null => (typed.trim() === "" ? null : typed.trim());

const bodyOf = ({ partner = "", app, sdk_from: from, sdk_to: to, countries = "", reason = "" }: Typed) => ({
  partner: partner === SDK ? null : partner,
  app: orNull(app),
  sdk_from: orNull(from),
  sdk_to: orNull(to),
  countries: countries
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((code) => code !== ""),
  reason,
});

function check(typed: Typed): Record<string, string> {
  if (typed.partner === "") return {};
  const body = bodyOf(typed);
  const faults: Record<string, string> = {};
  for (const { path, message } of NewKillSwitch.safeParse(body).error?.issues ?? [])
    faults[String(path[0])] ??= message;
  const unknown = body.countries.find((code) => !CODES.has(code));
  if (unknown !== undefined) faults["countries"] = `${unknown} is no country's code`;
  return faults;
}

/** Switches a partner or the SDK itself off, for the requests that meet every condition. */
export function KillSwitchForm({
  partners,
  onDone,
}: {
  partners: readonly { id: string; name: string }[];
  onDone: () => void;
}) {
  const add = useAddKillSwitch();
  const { tell } = useNotify();
  const form = useContractForm({
    schema: Typed,
    initial: { partner: "", app: "", sdk_from: "", sdk_to: "", countries: "", reason: "" },
    check,
    send: (typed) => add.mutateAsync(bodyOf(typed)),
    onDone: () => {
      tell("It is switched off. Every exchange follows within 5 seconds");
      onDone();
    },
  });
  const isSdk = form.values.partner === SDK;
  return (
    <Form {...form.props}>
      <SelectField
        {...form.field("partner")}
        label="Switch off"
        placeholder="Choose a partner or the SDK"
        options={[
          { value: SDK, label: "The SDK itself" },
          ...partners.map(({ id, name }) => ({ value: id, label: name === id ? name : `${name} (${id})` })),
        ]}
        data-autofocus
      />
      <p className={classes.about}>
        {isSdk
          ? "Apps with the SDK drop their ads and stop asking with their next call, until their next session after the switch has ended. Nothing is sold to servers and players either, unless you name SDK versions."
          : "The partner is not asked for requests that meet all conditions; without conditions, for no request."}
      </p>
      <TextField
        {...form.field("app")}
        label="App key"
        description="As on the app's Integrate page. Empty for all apps"
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        {...form.field("sdk_from")}
        label="From SDK version"
        description="Like 1.4.0. Empty for no lower bound"
        autoComplete="off"
      />
      <TextField
        {...form.field("sdk_to")}
        label="Up to SDK version"
        description="Included. Empty for no upper bound"
        autoComplete="off"
      />
      <TextField
        {...form.field("countries")}
        label="Countries"
        description="Codes like DE, FR. Empty for all"
        autoComplete="off"
        autoCapitalize="characters"
      />
      <TextAreaField {...form.field("reason")} label="Reason" rows={2} maxLength={500} />
      <Submit {...form.submit} danger>
        Switch off
      </Submit>
    </Form>
  );
}
