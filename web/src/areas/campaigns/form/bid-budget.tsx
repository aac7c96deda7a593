import { LEAST_BID, LEAST_DAILY_BUDGET } from "@millrace/contract";
import { formatMoney } from "@millrace/units";
import { TextField } from "../../../ui/form/text-field.tsx";
import { Panel } from "../../../ui/panel.tsx";
import classes from "./form.module.css";
import type { CampaignForm } from "./use-campaign-form.ts";

/** The price and the limits of what is spent. */
export function BidBudget({ form }: { form: CampaignForm }) {
  const { bid } = form.draft;
  const amount = { inputMode: "decimal", autoComplete: "off", maxLength: 20, leftSection: "$" } as const;
  return (
    <Panel title="Bid and budget">
      <div className={classes.triple}>
        <TextField
          {...form.part("bid.value", bid.value, (value) => form.set({ bid: { ...bid, value } }))}
          {...amount}
          label="Bid (CPM)"
          description={`For 1,000 impressions; at least ${formatMoney(LEAST_BID)}`}
        />
        <TextField
          {...form.part("bid.daily", bid.daily, (daily) => form.set({ bid: { ...bid, daily } }))}
          {...amount}
          label="A day, at most"
          description={`Per UTC day; at least ${formatMoney(LEAST_DAILY_BUDGET)}`}
        />
        <TextField {...form.field("budget")} {...amount} label="Budget in all" description="0 means no limit" />
      </div>
    </Panel>
  );
}
