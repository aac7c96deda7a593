import { COMPARISONS } from "@millrace/contract";
import { type ComparisonKind, comparedRange, daysIn, formatDayRange } from "@millrace/units";
import { ChipSelect } from "../../ui/fields/chip-select.tsx";

interface ComparisonFilterProps {
  range: { ds: string; de: string };
  compare: ComparisonKind;
  /** The moment at which the compared period's figures end; null if the range is over. */
  until: string | null | undefined;
  onChange: (compare: ComparisonKind) => void;
}

/** What the days are compared with, and until when if today is not over. */
export function ComparisonFilter({ range, compare, until, onChange }: ComparisonFilterProps) {
  return (
    <ChipSelect
      label="Compare with"
      before="against"
      options={COMPARISONS.map((id) => ({ id, label: comparisonText(id, daysIn(range)) }))}
      chosen={compare}
      after={until ? `each to ${until.slice(11, 16)} UTC` : undefined}
      title={compare === "none" ? undefined : formatDayRange(comparedRange(range, compare))}
      onChoose={onChange}
    />
  );
}

/** `the 30 days before`, `the same weekdays before`, `nothing`. */
export function comparisonText(compare: ComparisonKind, days: number): string {
  if (compare === "none") return "nothing";
  if (compare === "weekdays") return days === 1 ? "the same weekday before" : "the same weekdays before";
  return days === 1 ? "the day before" : `the ${days} days before`;
}
