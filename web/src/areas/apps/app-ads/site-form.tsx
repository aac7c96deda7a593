import { type AppAds, setAppAds } from "@millrace/contract";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { CheckboxField } from "../../../ui/form/checkbox-field.tsx";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useSetAppAds } from "../api.ts";

/** The domain of the file, and whether the platform's sellers.json names the account. */
export function SiteForm({ ads }: { ads: AppAds }) {
  const set = useSetAppAds();
  const { tell } = useNotify();
  const form = useContractForm({
    schema: setAppAds.body,
    initial: { domain: ads.domain ?? "", is_confidential: ads.is_confidential },
    send: (body) => set.mutateAsync(body),
    onDone: ({ domain, is_confidential }) => {
      tell("Developer site saved");
      form.set({ domain: domain ?? "", is_confidential });
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
      <Submit {...form.submit}>Save developer site</Submit>
    </Form>
  );
}
