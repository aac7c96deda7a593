import { Reward, TEXTS, type Zone, editZone } from "@millrace/contract";
import { z } from "zod";
import { type Reload, ReloadIfStale } from "../../../shared/form/reload-button.tsx";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { Modal } from "../../../ui/modal/modal.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useEditZone } from "../api.ts";

const { name: Name, refresh_seconds: Seconds } = editZone.body.shape;
const Typed = z.object({
  name: Name,
  refresh_seconds: z.string().trim().min(1, TEXTS.required),
  reward_name: z.string(),
  reward_amount: z.string(),
});

/** The typed seconds; the call's schema reports anything that is not a number. */
const secondsOf = (typed: string): number => (/^\s*\d{1,6}\s*$/.test(typed) ? Number(typed) : Number.NaN);

function checkSeconds(typed = ""): Record<string, string> {
  if (typed.trim() === "") return {};
  const issue = Seconds.safeParse(secondsOf(typed)).error?.issues[0];
  return issue ? { refresh_seconds: issue.message } : {};
}

type TypedReward = Partial<Record<"reward_name" | "reward_amount", string>>;

/** Null for the app's reward; the schema reports an amount that is not a number. */
const rewardOf = ({ reward_name: name = "", reward_amount: amount = "" }: TypedReward): Reward | null =>
  name.trim() === "" && amount.trim() === ""
    ? null
    : { name, amount: /^\s*\d{1,10}\s*$/.test(amount) ? Number(amount) : Number.NaN };

function checkReward(typed: TypedReward): Record<string, string> {
  const reward = rewardOf(typed);
  const issues = (reward && Reward.safeParse(reward).error?.issues) ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [`reward_${path.join(".")}`, message]));
}

interface EditZoneProps {
  uuid: string;
  /** As it was when the dialog was opened. */
  zone: Zone;
  onClose: () => void;
  /** Shows the zone as it is by now. */
  onReload: Reload;
}

/** A dialog that edits a zone's name, a banner's refresh time, and a rewarded zone's reward. */
export const EditZone = (props: EditZoneProps) => (
  <Modal opened onClose={props.onClose} title={`Zone ${props.zone.zone}`}>
    <Fields key={props.zone.revision} {...props} />
  </Modal>
);

function Fields({ uuid, zone, onClose, onReload }: EditZoneProps) {
  const edit = useEditZone(uuid);
  const { tell } = useNotify();
  const isRewarded = zone.format === "rewarded";
  const form = useContractForm({
    schema: Typed,
    initial: {
      name: zone.name,
      refresh_seconds: String(zone.refresh_seconds),
      reward_name: zone.reward?.name ?? "",
      reward_amount: zone.reward ? String(zone.reward.amount) : "",
    },
    check: (typed) => ({ ...checkSeconds(typed.refresh_seconds), ...checkReward(typed) }),
    send: ({ name, refresh_seconds, ...typed }) =>
      edit.mutateAsync({
        zone: zone.zone,
        revision: zone.revision,
        name,
        refresh_seconds: secondsOf(refresh_seconds),
        ...(isRewarded && { reward: rewardOf(typed) }),
      }),
    onDone: () => {
      tell("Zone saved");
      onClose();
    },
  });
  return (
    <Form {...form.props}>
      <TextField {...form.field("name")} label="Name" maxLength={64} autoComplete="off" data-autofocus />
      {zone.format === "banner" ? (
        <TextField
          {...form.field("refresh_seconds")}
          label="Refresh in seconds"
          description="From 10 to 3600."
          inputMode="numeric"
          autoComplete="off"
        />
      ) : null}
      {isRewarded ? (
        <>
          <TextField
            {...form.field("reward_name")}
            label="Reward"
            description="Such as coins. Empty for the app's own reward."
            maxLength={64}
            autoComplete="off"
          />
          <TextField
            {...form.field("reward_amount")}
            label="Amount"
            inputMode="numeric"
            maxLength={10}
            autoComplete="off"
          />
        </>
      ) : null}
      <Submit
        {...form.submit}
        onCancel={onClose}
        beside={<ReloadIfStale message={form.submit.message} onReload={onReload} />}
      >
        Save zone
      </Submit>
    </Form>
  );
}
