import { type LineError, MOST_STATEMENT_LINES, type StatementMapping } from "@millrace/contract";
import { readCsv } from "../../../platform/read-csv.ts";
import { CellError, amountIn, countIn, dayIn, shown } from "./statement-values.ts";

/** A line of a statement, in the partner's own days, places and currency. */
export interface ParsedLine {
  /** Where it begins in the file; the head is on line 1. */
  line: number;
  day: string;
  place: string;
  impressions: number;
  /** In 10^-12 of the currency's unit. */
  units: bigint;
}

export interface ParsedStatement {
  columns: string[];
  lines: ParsedLine[];
  errors: LineError[];
}

/** The columns of a file by their heads, without reading what stands below. Errors are as in `parseStatement`. */
export function columnsOf(content: string): { columns: string[]; errors: LineError[] } {
  const { records, errors } = readCsv(content, { onlyHead: true });
  return { columns: records[0]?.cells ?? [], errors };
}

/**
 * Reads a statement's lines by its mapping. `open` is the first day that is not over yet, in its zone. Every fault is named by its
 * line and the head of its column; whoever finds one must not use the lines.
 */
export function parseStatement(
  content: string,
  mapping: StatementMapping,
  open: { day: string; zone: string },
): ParsedStatement {
  const { records, errors } = readCsv(content, { onlyHead: false });
  const [head, ...body] = records;
  const columns = head?.cells ?? [];
  if (errors.length > 0) return { columns, lines: [], errors };
  const missing = (["date", "place", "impressions", "revenue"] as const).filter(
    (column) => !columns.includes(mapping[column]),
  );
  const doubled = columns.find((name, nth) => name !== "" && columns.indexOf(name) !== nth);
  if (missing.length > 0 || doubled !== undefined) {
    const faults = missing.map((column) => ({ line: 1, field: mapping[column], message: "There is no such column" }));
    const twice = doubled === undefined ? [] : [{ line: 1, field: doubled, message: "Two columns have this name" }];
    return { columns, lines: [], errors: [...faults, ...twice] };
  }
  if (body.length === 0)
    return {
      columns,
      lines: [],
      errors: [{ line: 1, field: mapping.date, message: "There is no line below the head" }],
    };
  if (body.length > MOST_STATEMENT_LINES) {
    const message = `There are more than ${MOST_STATEMENT_LINES} lines`;
    return {
      columns,
      lines: [],
      errors: [{ line: body[MOST_STATEMENT_LINES]?.line ?? 1, field: mapping.date, message }],
    };
  }
  const lines: ParsedLine[] = [];
  const inOrder = orderOfDays();
  for (const { line, cells } of body) {
    const read = <T>(column: "date" | "place" | "impressions" | "revenue", as: (cell: string) => T): T | undefined => {
      const field = mapping[column];
      try {
        return as((cells[columns.indexOf(field)] ?? "").trim());
      } catch (error) {
        if (!(error instanceof CellError)) throw error;
        errors.push({ line, field, message: error.message });
        return undefined;
      }
    };
    const day = read("date", (cell) => {
      const found = dayIn(cell, mapping.date_format);
      if (found >= open.day) throw new CellError(`${shown(cell)} is a day that is not over in ${open.zone}`);
      if (!inOrder(found)) throw new CellError(`${shown(cell)} is out of order: is the date format right?`);
      return found;
    });
    const place = read("place", (cell) => {
      if (cell === "") throw new CellError("Nothing names the app");
      return cell;
    });
    const impressions = read("impressions", (cell) => countIn(cell, mapping.decimal));
    const units = read("revenue", (cell) => amountIn(cell, mapping.decimal));
    if (day !== undefined && place !== undefined && impressions !== undefined && units !== undefined)
      lines.push({ line, day, place, impressions, units });
  }
  return { columns, lines, errors };
}

/**
 * Tells of each day whether it keeps to the order of those before, which may rise or fall. Days and months read the wrong way round would
 * not, and be booked on wrong days.
 */
function orderOfDays(): (day: string) => boolean {
  let last = "";
  let rises: boolean | undefined;
  return (day) => {
    if (last === "" || day === last) {
      last = day;
      return true;
    }
    rises ??= day > last;
    if (day > last !== rises) return false;
    last = day;
    return true;
  };
}
