import { COMPARISONS } from "@millrace/contract";
import { type ComparisonKind, comparedRange, daysIn, formatDay, formatDayRange } from "@millrace/units";
import { ChipSelect } from "../../ui/fields/chip-select.tsx";

interface ComparisonFilterProps {
  range: { ds: string; de: string };
  compare: ComparisonKind;
  /** The moment at which the compared period's figures end; null if the range is over. */
  until: string | null | undefined;
  /** The first day with any figures: days before it say nothing about growth. */
  firstDay?: string | null | undefined;
  onChange: (compare: ComparisonKind) => void;
}

/** What the days are compared with: until when if today is not over, and since when if the figures begin within them. */
export function ComparisonFilter({ range, compare, until, firstDay, onChange }: ComparisonFilterProps) {
  const compared = compare === "none" ? null : comparedRange(range, compare);
  const notes = [
    ...(until ? [`to ${until.slice(11, 16)} UTC`] : []),
    ...(compared && firstDay && compared.ds < firstDay && firstDay <= compared.de
      ? [`figures begin ${formatDay(firstDay)}`]
      : []),
  ];
  return (
    <ChipSelect
      label="Compare with"
      before="against"
      options={COMPARISONS.map((id) => ({ id, label: comparisonText(id, daysIn(range)) }))}
      chosen={compare}
      after={notes.length === 0 ? undefined : notes.join(", ")}
      title={compared ? formatDayRange(compared) : undefined}
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
