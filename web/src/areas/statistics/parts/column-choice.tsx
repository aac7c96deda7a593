import { TABLE_FIGURES, type TableFigure } from "@millrace/contract";
import { ChoiceFilter } from "../../../ui/fields/choice-filter.tsx";
import { METRIC_WORDS } from "../metric-words.ts";

const OPTIONS = Object.fromEntries(TABLE_FIGURES.map((id) => [id, METRIC_WORDS[id].label]));

interface ColumnChoiceProps {
  chosen: readonly TableFigure[];
  onChoose: (ids: readonly string[]) => void;
}

/** Which columns the table has; taking the last one away brings all back. */
export function ColumnChoice({ chosen, onChoose }: ColumnChoiceProps) {
  const all = chosen.length === TABLE_FIGURES.length;
  return (
    <ChoiceFilter
      what="columns"
      text={all ? "All columns" : `${chosen.length} of ${TABLE_FIGURES.length} columns`}
      options={OPTIONS}
      inOrder
      quiet
      chosen={chosen}
      onChange={onChoose}
    />
  );
}
