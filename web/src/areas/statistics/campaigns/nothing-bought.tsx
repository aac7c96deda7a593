import { Button } from "@mantine/core";
import { EARLIEST_DATE, notFoundText } from "@millrace/contract";
import { addDays, dayOf } from "@millrace/units";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";
import { useCampaignChoices } from "./api.ts";
import { type CampaignStatsAddress, readCampaignStatsAddress } from "./campaign-address.ts";

/** An empty block: what is missing, why, and the step most likely to help. */
export function NothingBought({ what }: { what: string }) {
  const [address, change] = useAddress(readCampaignStatsAddress);
  const step = nextStep(address, useCampaignChoices()?.first_day ?? EARLIEST_DATE);
  return (
    <EmptyNote
      title={notFoundText(what)}
      why={`Your campaigns bought nothing in this period${step === CLEAR ? " with these filters" : ""}.`}
      action={
        step ? (
          <Button variant="default" size="xs" onClick={() => change(step.change)}>
            {step.label}
          </Button>
        ) : undefined
      }
    />
  );
}

interface Step {
  label: string;
  change: Partial<CampaignStatsAddress>;
}

const CLEAR: Step = { label: "Clear the filters", change: { campaign: [], format: [], country: [] } };

/** Fewer filters first, then more days; undefined if neither can help. */
function nextStep({ campaign, format, country, ds, de }: CampaignStatsAddress, first: string): Step | undefined {
  if ([campaign, format, country].some((values) => values.length > 0)) return CLEAR;
  const today = dayOf(Date.now());
  const month = addDays(today, -29);
  if (ds > month || de < today) return { label: "Show the last 30 days", change: { ds: month, de: today } };
  return ds > first ? { label: "Show all time", change: { ds: first, de: today } } : undefined;
}
