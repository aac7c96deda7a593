import type { StatRow, StatTable, View } from "@millrace/contract";
import { decimalDollars } from "@millrace/units";
import { stringify } from "csv-stringify/sync";

const VIEW_HEADS = {
  date: "Date",
  country: "Country",
  format: "Format",
  provider: "Provider",
  zone: "Zone",
} as const satisfies Record<View, string>;

/** A statistics table as CSV (RFC 4180): its rows in its order and its total, every number exact. */
export function tableFile({ view, stats, total }: StatTable): string {
  // Days stay `2026-11-19`, which every spreadsheet reads.
  const nameOf = (row: StatRow) => (view === "date" && row !== total ? row.id : row.name);
  return stringify(
    [...stats, total].map((row) => [nameOf(row), ...figures(row)]),
    {
      header: true,
      columns: [
        VIEW_HEADS[view],
        "Uniques",
        "Sessions",
        "Requests",
        "Impressions",
        "Clicks",
        "Fill rate, %",
        "CTR, %",
        "eCPM, $",
        "Revenue, $",
      ],
      // A name is the publisher's or a device's own text; a spreadsheet must not run it.
      escape_formulas: true,
      record_delimiter: "windows",
    },
  );
}

const figures = (row: StatRow): (string | number)[] => [
  row.uniques,
  row.sessions ?? "",
  row.requests,
  row.impressions,
  row.clicks,
  percent(row.fillrate),
  percent(row.ctr),
  row.ecpm === null ? "" : decimalDollars(row.ecpm),
  decimalDollars(row.revenue),
];

const percent = (value: number | null) => (value === null ? "" : String(Number(value.toFixed(6))));
