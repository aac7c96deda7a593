import { type AppAds, setAppAds } from "@millrace/contract";
import { useState } from "react";
import { type Reload, ReloadIfStale } from "../../../shared/form/reload-button.tsx";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useSetAppAds } from "../api.ts";

interface Reloaded {
  data: AppAds | undefined;
  error: unknown;
}

/** The domain of the file, and whether the platform's sellers.json names the account. */
export function SiteForm({ ads, onReload }: { ads: AppAds; onReload: () => Promise<Reloaded> }) {
  // The fields keep what they began with, even if somebody else saves another site.
  const [begun, setBegun] = useState({ ads, reloads: 0 });
  const reload = async () => {
    const { data, error } = await onReload();
    // After a failure, the data is the old one.
    if (data && error === null) setBegun({ ads: data, reloads: begun.reloads + 1 });
    return { error };
  };
  return <Fields key={begun.reloads} ads={begun.ads} onReload={reload} />;
}

const typedOf = ({ domain, is_confidential }: AppAds) => ({ domain: domain ?? "", is_confidential });

function Fields({ ads, onReload }: { ads: AppAds; onReload: Reload }) {
  const [revision, setRevision] = useState(ads.revision);
  const set = useSetAppAds();
  const { tell } = useNotify();
  const form = useContractForm({
    schema: setAppAds.body,
    initial: typedOf(ads),
    send: (body) => set.mutateAsync({ ...body, revision }),
    onDone: (saved) => {
      tell("Developer site saved");
      setRevision(saved.revision);
      form.set(typedOf(saved));
    },
  });
  return (
    <Form {...form.props}>
      <TextField
        {...form.field("domain")}
        label="Domain"
        description="The developer site in your apps' store listings, without https:// and www."
        placeholder="studio.example"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        maxLength={253}
      />
      <CheckboxField {...form.field("is_confidential")} label="Keep the account's name out of sellers.json" />
      <Submit {...form.submit} beside={<ReloadIfStale message={form.submit.message} onReload={onReload} />}>
        Save developer site
      </Submit>
    </Form>
  );
}
