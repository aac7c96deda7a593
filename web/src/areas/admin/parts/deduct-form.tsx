import {
  type AdminUser,
  CAMPAIGN_PROVIDER,
  DEDUCTION_REASONS,
  DEDUCTION_REASON_LABELS,
  Day,
  MAX_SAMPLE_AUCTIONS,
  type Reply,
  TEXTS,
  Uuid,
  type deductible,
  noteDeduction,
} from "@millrace/contract";
import { addDays, dayOf, formatMoneyExact } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { messageOf } from "../../../shared/call-api.ts";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { microsOf } from "../../../shared/micros-of.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { deductibleQuery, useNoteDeduction } from "../api.ts";
import { newKey } from "../../../shared/new-key.ts";
import { AmountField, TypedAmount, amountError } from "./amount-field.tsx";
import classes from "./parts.module.css";

const { amount: Amount, explanation: Explanation } = noteDeduction.body.shape;
/** Invalid traffic that the platform found itself has no partner. */
const FOUND_BY_US = "-";
const REASONS = DEDUCTION_REASONS.map((value) => ({ value, label: DEDUCTION_REASON_LABELS[value] }));
const Deducted = z.object({
  reason: z.enum(DEDUCTION_REASONS),
  day: Day.min(1, TEXTS.required),
  app: z.string().min(1, "Choose the app"),
  provider: z.string().min(1, "Choose the partner"),
  amount: TypedAmount,
  explanation: Explanation,
  auctions: z.string(),
});

/** Auction ids, or addresses that end with one, separated by spaces, lines or commas. */
const auctionsOf = (typed = ""): string[] =>
  typed
    .split(/[\s,;]+/)
    .filter((part) => part !== "")
    .map((part) => part.replace(/^.*\//, ""));

function check({ amount = "", auctions }: { amount?: string; auctions?: string }): Record<string, string> {
  const errors = amountError(amount, Amount);
  const ids = auctionsOf(auctions);
  const wrong = ids.find((id) => !Uuid.safeParse(id).success);
  if (ids.length > MAX_SAMPLE_AUCTIONS) errors["auctions"] = `Name at most ${MAX_SAMPLE_AUCTIONS} auctions`;
  if (wrong !== undefined) errors["auctions"] = `${wrong} is not an auction ID`;
  return errors;
}

/** Takes money from a publisher's earnings of a day, for a reason that they can dispute. */
export function DeductForm({ user, onDone }: { user: AdminUser; onDone: () => void }) {
  const { tell } = useNotify();
  const note = useNoteDeduction();
  // One key while the form is open, so a retry after a lost reply notes the deduction once.
  const [key] = useState(newKey);
  const form = useContractForm({
    schema: Deducted,
    initial: { reason: "invalid_traffic", day: "", app: "", provider: "", amount: "", explanation: "", auctions: "" },
    check,
    send: ({ provider, amount, auctions, ...rest }) =>
      note.mutateAsync({
        id: user.uuid,
        ...rest,
        provider: provider === FOUND_BY_US ? null : provider,
        amount: microsOf(amount) ?? 0,
        auctions: auctionsOf(auctions),
        key,
      }),
    onDone: ({ balance }, { amount }) => {
      tell(
        `${formatMoneyExact(microsOf(amount))} deducted. The balance of ${user.email} is now ${formatMoneyExact(balance)}`,
      );
      onDone();
    },
  });
  const { reason, day = "", app, provider } = form.values;
  const isDay = Day.safeParse(day).success;
  const earned = useQuery({ ...deductibleQuery(user.uuid, day), enabled: isDay });
  const apps = earned.data?.apps ?? [];
  const chosen = apps.find(({ uuid }) => uuid === app);
  const providers = chosen?.providers ?? [];
  const left = provider === FOUND_BY_US ? chosen?.left : providers.find((one) => one.provider === provider)?.left;
  return (
    <Form {...form.props}>
      <SelectField
        {...form.field("reason")}
        label="Reason"
        options={REASONS}
        // Only invalid traffic may have no partner.
        onChange={(next) => form.set({ reason: next, ...(provider === FOUND_BY_US && { provider: "" }) })}
      />
      <TextField
        {...form.field("day")}
        label="Day of the traffic (UTC)"
        type="date"
        max={addDays(dayOf(Date.now()), -1)}
        onChange={(next) => form.set({ day: next, app: "", provider: "" })}
        data-autofocus
      />
      <SelectField
        {...form.field("app")}
        label="App"
        placeholder={placeholderOf(isDay, earned)}
        options={apps.map(({ uuid, name, left: ofApp }) => ({ value: uuid, label: `${name}, ${leftText(ofApp)}` }))}
        onChange={(next) => form.set({ app: next, provider: "" })}
        disabled={apps.length === 0}
      />
      <SelectField
        {...form.field("provider")}
        label="Partner"
        placeholder={chosen ? "Choose the partner" : "Choose the app first"}
        options={[
          ...(chosen && reason === "invalid_traffic"
            ? [{ value: FOUND_BY_US, label: `None: we found it, ${leftText(chosen.left)}` }]
            : []),
          ...providers.map((one) => ({ value: one.provider, label: `${one.name}, ${leftText(one.left)}` })),
        ]}
        disabled={!chosen}
      />
      <AmountField {...form.field("amount")} />
      {left === undefined ? null : (
        <p className={classes.about}>
          {user.email} has {formatMoneyExact(user.balance)}. At most {formatMoneyExact(left)} can be deducted here.
        </p>
      )}
      {chosen && (provider === CAMPAIGN_PROVIDER.id || provider === FOUND_BY_US) ? (
        <Advertisers advertisers={chosen.advertisers} />
      ) : null}
      <TextAreaField
        {...form.field("explanation")}
        label="Explanation, which the publisher sees"
        rows={3}
        maxLength={500}
      />
      <TextAreaField
        {...form.field("auctions")}
        label="Sample auctions (optional)"
        description={`Up to ${MAX_SAMPLE_AUCTIONS} auction IDs of the app, as in its list of requests`}
        rows={2}
      />
      <Submit {...form.submit}>Deduct</Submit>
    </Form>
  );
}

type App = Reply<typeof deductible>["apps"][number];

/** Who paid for the traffic of campaigns: a deduction gives them nothing back by itself. */
const Advertisers = ({ advertisers }: Pick<App, "advertisers">) =>
  advertisers.length === 0 ? null : (
    <p className={classes.about}>
      Campaigns of {advertisers.map(({ email, paid }) => `${email} (${formatMoneyExact(paid)})`).join(", ")} paid for
      ads here. What is deducted of them stays with the platform until you credit the advertisers, in the list of users.
    </p>
  );

const leftText = (micros: number): string => `${formatMoneyExact(micros)} left`;

function placeholderOf(
  isDay: boolean,
  { data, error }: { data: { apps: readonly object[] } | undefined; error: Error | null },
): string {
  if (!isDay) return "Choose the day first";
  if (data === undefined) return error === null ? "Loading earnings ..." : messageOf(error);
  return data.apps.length === 0 ? "Nothing is left of this day's earnings" : "Choose the app";
}
