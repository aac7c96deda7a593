import { type AdminPartner, PLATFORM_LABELS, WORLD_REGION_LABELS, WORLD_REGIONS } from "@millrace/contract";
import { useState } from "react";
import { ApiError } from "../../../shared/call-api.ts";
import { type Reload, ReloadIfStale } from "../../../shared/form/reload-button.tsx";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import { ChoicesField } from "../../../ui/form/choices-field.tsx";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useSavePartner } from "../partners-api.ts";
import { endpointIn, fieldAt, fieldsOf, partnerFaults, PartnerFields, settingsOf } from "./partner-fields.ts";
import classes from "./partner.module.css";

const CODE = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

/** The operator's settings for a partner. */
export function PartnerForm({ partner, onReload }: { partner: AdminPartner; onReload: Reload }) {
  const { id, adapter, connected, settings } = partner;
  const { tell } = useNotify();
  const save = useSavePartner();
  // What is shown beside the form is refreshed; what is typed stays at the revision that it began with.
  const [revision, setRevision] = useState(partner.revision);
  const form = useContractForm({
    schema: PartnerFields,
    initial: fieldsOf(partner),
    check: (typed) => partnerFaults(partner, PartnerFields.parse(typed)),
    send: async (typed) => {
      try {
        return await save.mutateAsync({ id, revision, ...settingsOf(partner, typed) });
      } catch (failure) {
        throw failure instanceof ApiError ? atFields(failure) : failure;
      }
    },
    onDone: (saved, { name, active }) => {
      setRevision(saved.revision);
      form.set({ credentials: "", forget: false });
      tell(active ? `${name} is saved. The exchange asks it from the next seconds on` : `${name} is saved, and off`);
    },
  });
  const endpoint = form.values.endpoint ?? "";
  const regions = form.values.regions ?? [];
  const isPlain = (endpoint === "" ? adapter.endpoint : endpoint).startsWith("http:");
  return (
    <Form {...form.props}>
      <CheckboxField {...form.field("active")} label="Ask this partner in auctions" />
      <div className={classes.settings}>
        <TextField {...form.field("name")} label="Name" description="As publishers see it" maxLength={100} />
        <TextField
          {...form.field("endpoint")}
          {...CODE}
          label="Endpoint"
          description={endpointHint(partner, isPlain)}
          placeholder={adapter.endpoint === "" ? "https://bids.example.com/openrtb" : adapter.endpoint}
          maxLength={500}
        />
        <TextField
          {...form.field("gvl_id")}
          label="Vendor id (GVL)"
          description={
            adapter.gvl_id === null
              ? "Without one it is not asked where the GDPR applies"
              : `Empty: ${adapter.gvl_id}, the adapter's`
          }
          inputMode="numeric"
        />
        <TextField
          {...form.field("qps_limit")}
          label="Most requests per second"
          description="Over all exchange processes. Empty: no limit"
          inputMode="numeric"
        />
      </div>
      <ChoicesField
        name="media_types"
        label="Asked for"
        options={adapter.media_types.map((value) => ({ value: value as string, label: value }))}
        chosen={form.values.media_types ?? []}
        error={form.errors["media_types"]}
        onChange={(types) => form.set({ media_types: types })}
      />
      <ChoicesField
        name="platforms"
        label="Asked for apps on"
        options={adapter.platforms.map((value) => ({ value: value as string, label: PLATFORM_LABELS[value] }))}
        chosen={form.values.platforms ?? []}
        error={form.errors["platforms"]}
        onChange={(platforms) => form.set({ platforms })}
      />
      <ChoicesField
        name="regions"
        label="Asked for devices in"
        description="Unless it buys in all regions, it is not asked where a device's country is unknown"
        options={WORLD_REGIONS.map((value) => ({ value: value as string, label: WORLD_REGION_LABELS[value] }))}
        chosen={regions}
        error={form.errors["regions"]}
        onChange={(chosen) => form.set({ regions: chosen })}
      />
      {regions.length === 0 ? null : (
        <div className={classes.settings}>
          {WORLD_REGIONS.filter((region) => regions.includes(region)).map((region) => (
            <TextField
              key={region}
              {...form.field(endpointIn(region))}
              {...CODE}
              label={`Endpoint: ${WORLD_REGION_LABELS[region]}`}
              description="Empty: the endpoint above"
              maxLength={500}
            />
          ))}
        </div>
      )}
      <div className={classes.settings}>
        {adapter.openrtb_version === null ? (
          <SelectField
            {...form.field("openrtb_version")}
            label="OpenRTB version"
            options={["2.6", "2.5"].map((value) => ({ value, label: value }))}
          />
        ) : null}
        <TextField
          {...form.field("currency")}
          label="Currency it is asked to bid in"
          description="A code like EUR. Empty: US dollars"
          maxLength={3}
        />
        <TextField
          {...form.field("bid_currency")}
          label="Currency of responses that name none"
          description="Empty: the one that it is asked for"
          maxLength={3}
        />
        <TextField
          {...form.field("schain_asi")}
          {...CODE}
          label="Supply chain: our domain (asi)"
          description="Empty: this platform's host, where its sellers.json is"
        />
        <TextField
          {...form.field("schain_sid")}
          {...CODE}
          label="Supply chain: our seller id (sid)"
          description="Empty, as the domain: the publisher's id in sellers.json"
        />
      </div>
      {adapter.gzip === null ? (
        <CheckboxField {...form.field("gzip")} label="Compress requests and responses (gzip)" />
      ) : null}
      <div className={classes.settings}>
        <TextAreaField
          {...form.field("platform_ids")}
          {...CODE}
          label="Our ids there"
          description={idsHint(partner)}
          rows={3}
        />
        <TextAreaField
          {...form.field("headers")}
          {...CODE}
          label="Extra headers"
          description="One a line, as in x-source: app"
          rows={3}
        />
        <TextAreaField
          {...form.field("credentials")}
          {...CODE}
          label="Secret headers"
          description={
            settings.credentials.length === 0
              ? "One a line, as in authorization: Bearer … They are stored encrypted and never shown again"
              : `Stored: ${settings.credentials.join(", ")}. What you enter replaces them`
          }
          rows={3}
        />
        <TextAreaField
          {...form.field("app_ads_lines")}
          {...CODE}
          label="Lines of app-ads.txt"
          description="One a line. A key in braces becomes the publisher's: example.com, {publisherId}, RESELLER"
          rows={3}
        />
      </div>
      {settings.credentials.length === 0 ? null : (
        <CheckboxField {...form.field("forget")} label="Remove the stored secret headers" />
      )}
      <Submit {...form.submit} beside={<ReloadIfStale message={form.submit.message} onReload={onReload} />}>
        {connected ? "Save" : "Connect"}
      </Submit>
    </Form>
  );
}

function endpointHint({ adapter }: AdminPartner, isPlain: boolean): string {
  const own = adapter.endpoint === "" ? "" : "Empty: the adapter's own. ";
  const parts = "{{Name}} stands for a key or one of our ids";
  return `${own}${parts}${isPlain ? ". Unencrypted: use https if the partner has it" : ""}`;
}

function idsHint({ adapter: { platform_ids: names } }: AdminPartner): string {
  const example = `One a line, as in ${names[0] ?? "supplyId"}: 1234`;
  return names.length === 0 ? example : `${example}. This partner knows ${names.join(", ")}`;
}

/** The call names a value by its path; here it is a field of the form. */
const atFields = ({ status, fields, message }: ApiError): ApiError =>
  new ApiError(
    status,
    Object.keys(fields).length === 0
      ? message
      : Object.fromEntries(Object.entries(fields).map(([path, text]) => [fieldAt(path.split(".")), text])),
  );
