import { Button } from "@mantine/core";
import { EARLIEST_DATE, notFoundText } from "@millrace/contract";
import { addDays, dayOf } from "@millrace/units";
import { type PublisherAddress, readPublisherAddress } from "../../../shared/filters/address.ts";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { useFilterOptions } from "../../../shared/filters/use-filter-options.ts";
import { EmptyNote } from "../../../ui/states/empty-note.tsx";

interface NothingCountedProps {
  what: string;
  why?: string;
  /** Blocks of money may be empty although something was counted. */
  of?: "counted" | "earned";
  /** The filters that the block follows; all, unless it says otherwise. */
  follows?: readonly FilterName[];
}

type FilterName = (typeof FILTERS)[number];

/** An empty block: what is missing, why, and the step most likely to help. */
export function NothingCounted({ what, why, of: verb = "counted", follows = FILTERS }: NothingCountedProps) {
  const [address, change] = useAddress(readPublisherAddress);
  const step = nextStep(address, follows, useFilterOptions().data?.first_day ?? EARLIEST_DATE);
  const narrowed = step?.label === CLEAR.label ? " with these filters" : "";
  return (
    <EmptyNote
      title={notFoundText(what)}
      why={why ?? `Nothing was ${verb} in this period${narrowed}.`}
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
  change: Partial<PublisherAddress>;
}

const FILTERS = ["provider", "format", "country", "app_id"] as const;
const CLEAR: Step = { label: "Clear the filters", change: { provider: [], format: [], country: [], app_id: [] } };

/** Fewer filters first, then more days; undefined if neither can help. */
function nextStep(address: PublisherAddress, follows: readonly FilterName[], first: string): Step | undefined {
  if (follows.some((filter) => address[filter].length > 0)) return CLEAR;
  const { ds, de } = address;
  const today = dayOf(Date.now());
  const month = addDays(today, -29);
  if (ds > month || de < today) return { label: "Show the last 30 days", change: { ds: month, de: today } };
  return ds > first ? { label: "Show all time", change: { ds: first, de: today } } : undefined;
}
