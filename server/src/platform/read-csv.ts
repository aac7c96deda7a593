import { CsvError, parse } from "csv-parse/sync";

/** A record of a CSV file, and the line on which it begins; the head is on line 1. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** What is wrong with a line, and in which column. */
export interface CsvFault {
  line: number;
  field: string;
  message: string;
}

const DELIMITERS = [",", ";", "\t"] as const;

const MOST_HEAD = 100_000;

/** The delimiter that the head has the most of, outside of quotes. */
function delimiterOf(content: string): string {
  const head =
    content
      .slice(0, MOST_HEAD)
      .replaceAll(/"(?:[^"]|"")*"/g, "")
      .split(/\r?\n/, 1)[0] ?? "";
  const counts = DELIMITERS.map((delimiter) => head.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}

const CSV_FAULTS = new Map<string, string>([
  ["CSV_RECORD_INCONSISTENT_FIELDS_LENGTH", "This line has another number of fields than the head"],
  ["CSV_QUOTE_NOT_CLOSED", "A quotation mark is not closed"],
  ["CSV_INVALID_CLOSING_QUOTE", "Something follows a closing quotation mark"],
  ["INVALID_OPENING_QUOTE", "A quotation mark stands inside a field"],
]);

/** The records of a CSV file as RFC 4180 has it: quoted fields may hold line breaks. Empty lines are left out. */
export function readCsv(
  content: string,
  { onlyHead }: { onlyHead: boolean },
): { records: CsvRecord[]; errors: CsvFault[] } {
  const records: CsvRecord[] = [];
  let begins = 1;
  try {
    parse(content, {
      bom: true,
      delimiter: delimiterOf(content),
      // An empty line is a record of one field.
      relax_column_count: true,
      max_record_size: MOST_HEAD,
      ...(onlyHead && { to: 1 }),
      on_record: (cells: string[], { lines }) => {
        const line = begins;
        begins = lines + 1;
        if (cells.every((cell) => cell.trim() === "")) return null;
        records.push({ line, cells: records.length === 0 ? cells.map((cell) => cell.trim()) : cells });
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return {
      records,
      errors: [{ line: begins, field: "line", message: CSV_FAULTS.get(error.code) ?? "This is not CSV" }],
    };
  }
  const fields = records[0]?.cells.length ?? 0;
  const uneven = records.find(({ cells }) => cells.length !== fields);
  if (fields === 0) return { records, errors: [{ line: 1, field: "line", message: "The file is empty" }] };
  return uneven === undefined
    ? { records, errors: [] }
    : {
        records,
        errors: [
          { line: uneven.line, field: "line", message: CSV_FAULTS.get("CSV_RECORD_INCONSISTENT_FIELDS_LENGTH") ?? "" },
        ],
      };
}
