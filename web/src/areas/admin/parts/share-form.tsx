import { type AdminUser, Day, TEXTS, loadingText, setShare } from "@millrace/contract";
import { addDays, dayOf, formatDay } from "@millrace/units";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { microsOf } from "../../../shared/micros-of.ts";
import { ShareTable, shareText } from "../../../shared/shares/share-table.tsx";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { Loaded } from "../../../ui/states/loaded-block.tsx";
import { SkeletonBar } from "../../../ui/states/skeletons.tsx";
import { sharesQuery, useSetShare } from "../api.ts";
import classes from "./parts.module.css";

const { share_ppm: SharePpm, reason: Reason } = setShare.body.shape;
const Typed = z.object({
  share: z.string().trim().min(1, TEXTS.required),
  from: z.string().min(1, TEXTS.required).pipe(Day),
  reason: Reason,
});

/** Parts per million of a typed percentage, `82.5` or `82.5%`; null if it is none, or has more than four decimals. */
function ppmOf(typed: string): number | null {
  const micros = microsOf(typed.replace(/\s*%\s*$/, ""));
  return micros === null || micros % 100 !== 0 || typed.includes("$") ? null : micros / 100;
}

function check({ share = "" }: { share?: string }): Record<string, string> {
  if (share.trim() === "") return {};
  const ppm = ppmOf(share);
  if (ppm === null) return { share: "Add a percentage, with at most 4 decimals" };
  const issue = SharePpm.safeParse(ppm).error?.issues[0];
  return issue ? { share: issue.message } : {};
}

/** Sets a publisher's share of the cleared prices from a day on, beside those that it has. */
export function ShareForm({ user, onDone }: { user: AdminUser; onDone: () => void }) {
  const { tell } = useNotify();
  const shares = useQuery(sharesQuery(user.uuid));
  const set = useSetShare();
  const form = useContractForm({
    schema: Typed,
    initial: { share: "", from: "", reason: "" },
    check,
    send: ({ share, ...rest }) => set.mutateAsync({ id: user.uuid, share_ppm: ppmOf(share) ?? 0, ...rest }),
    onDone: (_, { share, from }) => {
      tell(`${user.email} gets ${shareText(ppmOf(share) ?? 0)} from ${formatDay(from)} on`);
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <Loaded query={shares} loading={loadingText("shares")} skeleton={<SkeletonBar width="100%" height="60px" />}>
        {(data) => (
          <>
            <p className={classes.about}>
              {user.email} gets {shareText(data.share_ppm)} of the cleared prices today.
            </p>
            <ShareTable shares={data} />
          </>
        )}
      </Loaded>
      <TextField
        {...form.field("share")}
        label="New share in %"
        inputMode="decimal"
        autoComplete="off"
        placeholder="80"
        data-autofocus
      />
      <TextField
        {...form.field("from")}
        label="From this day on (UTC)"
        description="A day after today: what was sold keeps its share"
        type="date"
        min={addDays(dayOf(Date.now()), 1)}
      />
      <TextAreaField {...form.field("reason")} label="Reason, which the publisher sees" rows={3} maxLength={500} />
      <Submit {...form.submit}>Set share</Submit>
    </Form>
  );
}
