import { FORMAT_LABELS, FORMATS } from "@millrace/contract";
import { formatCpm } from "@millrace/units";
import { COUNTRY_OPTIONS } from "../../../shared/countries.ts";
import { microsOf } from "../../../shared/micros-of.ts";
import type { FloorRow, FloorRule } from "./floor-rows.ts";
import classes from "./floors.module.css";

const COUNTRY_NAMES = new Map(COUNTRY_OPTIONS.map(({ value, label }) => [value, label]));
const FORMAT_NAMES = new Map<string, string>(FORMATS.map((format) => [format, FORMAT_LABELS[format]]));

export const countryText = (code: string): string => (code === "" ? "Any country" : (COUNTRY_NAMES.get(code) ?? code));
export const formatText = (id: string): string => (id === "" ? "Any format" : (FORMAT_NAMES.get(id) ?? id));

/** By country and format, with those of all countries last. */
export const inOrder = (rows: readonly FloorRow[]): FloorRow[] =>
  rows.toSorted(
    (a, b) =>
      Number(a.country === "") - Number(b.country === "") ||
      countryText(a.country).localeCompare(countryText(b.country)) ||
      Number(a.format === "") - Number(b.format === "") ||
      formatText(a.format).localeCompare(formatText(b.format)),
  );

interface FloorListProps {
  rows: readonly FloorRow[];
  rule: FloorRule;
  /** The keys of rows with an error, and of rows that are not saved as they are. */
  faulty: ReadonlySet<number>;
  changed: ReadonlySet<number>;
  onChoose: (rule: FloorRule) => void;
}

/** The floors of an app, each a button that opens it. */
export function FloorList({ rows, rule, faulty, changed, onChoose }: FloorListProps) {
  if (rows.length === 0) return <p className={classes.none}>No floors: bids at any price are accepted.</p>;
  return (
    <ul className={classes.list} aria-label="Floors of the app">
      {inOrder(rows).map(({ key, country, format, floor }) => {
        const micros = microsOf(floor);
        return (
          <li key={key}>
            <button
              type="button"
              aria-current={country === rule.country && format === rule.format}
              data-faulty={faulty.has(key) ? "" : undefined}
              onClick={() => onChoose({ country, format })}
            >
              <span>
                <b>{countryText(country)}</b>
                <small>
                  {formatText(format)}
                  {changed.has(key) ? <em> · not saved</em> : null}
                </small>
              </span>
              <span>{micros === null ? floor || "–" : formatCpm(micros)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
