import { TEXTS, moderateApp } from "@millrace/contract";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useModerateApp } from "../api.ts";
import classes from "./parts.module.css";

interface ModerateFormProps {
  app: { uuid: string; name: string; owner: { email: string } };
  decision: "approve" | "ban";
  onDone: () => void;
}

/** Approves an app, or bans it with a reason that its owner sees. */
export function ModerateForm({ app, decision, onDone }: ModerateFormProps) {
  const { tell } = useNotify();
  const moderate = useModerateApp();
  const ban = decision === "ban";
  const form = useContractForm({
    schema: moderateApp.body,
    initial: { decision, reason: "" },
    check: ({ reason }): Record<string, string> => (ban && !reason?.trim() ? { reason: TEXTS.required } : {}),
    send: (body) => moderate.mutateAsync({ id: app.uuid, ...body }),
    onDone: () => {
      tell(ban ? `${app.name} is banned` : `${app.name} is approved`);
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <p className={classes.about}>
        {ban ? `${app.name} will get no ads.` : `${app.name} will get ads.`} {app.owner.email} will be notified by mail
        {ban ? ", with the reason." : "."}
      </p>
      <TextAreaField
        {...form.field("reason")}
        label={ban ? "Reason" : "Note to the owner (optional)"}
        rows={3}
        maxLength={500}
        data-autofocus
      />
      <Submit {...form.submit} danger={ban}>
        {ban ? "Ban app" : "Approve app"}
      </Submit>
    </Form>
  );
}
