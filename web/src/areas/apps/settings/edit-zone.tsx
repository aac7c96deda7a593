import { TEXTS, type Zone, editZone } from "@millrace/contract";
import { z } from "zod";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useEditZone } from "../api.ts";

const { name: Name, refresh_seconds: Seconds } = editZone.body.shape;
const Typed = z.object({ name: Name, refresh_seconds: z.string().trim().min(1, TEXTS.required) });

/** The typed seconds; the call's schema reports anything that is not a number. */
const secondsOf = (typed: string): number => (/^\s*\d{1,6}\s*$/.test(typed) ? Number(typed) : Number.NaN);

function checkSeconds(typed = ""): Record<string, string> {
  if (typed.trim() === "") return {};
  const issue = Seconds.safeParse(secondsOf(typed)).error?.issues[0];
  return issue ? { refresh_seconds: issue.message } : {};
}

/** Edits a zone's name, and a banner's refresh time. */
export function EditZone({ uuid, zone, onClose }: { uuid: string; zone: Zone; onClose: () => void }) {
  const edit = useEditZone(uuid);
  const { tell } = useNotify();
  const form = useContractForm({
    schema: Typed,
    initial: { name: zone.name, refresh_seconds: String(zone.refresh_seconds) },
    check: ({ refresh_seconds }) => checkSeconds(refresh_seconds),
    send: ({ name, refresh_seconds }) =>
      edit.mutateAsync({ zone: zone.zone, name, refresh_seconds: secondsOf(refresh_seconds) }),
    onDone: () => {
      tell("Zone saved");
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Zone ${zone.zone}`}>
      <Form {...form.props}>
        <TextField {...form.field("name")} label="Name" maxLength={64} autoComplete="off" data-autofocus />
        {zone.format === "banner" ? (
          <TextField
            {...form.field("refresh_seconds")}
            label="Refresh in seconds"
            description="From 5 to 3600."
            inputMode="numeric"
            autoComplete="off"
          />
        ) : null}
        <Submit {...form.submit} onCancel={onClose}>
          Save zone
        </Submit>
      </Form>
    </Modal>
  );
}
