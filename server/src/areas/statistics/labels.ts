import { FORMATS, FORMAT_LABELS, type Format, TEXTS, UNKNOWN_COUNTRY, type View } from "@millrace/contract";
import { formatDay } from "@millrace/units";

/** What people read for a provider's or a zone's id; the areas that own those know it. */
export interface Names {
  provider(id: string): string;
  zone(zone: string): string;
}

const countryNames = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** The English name of an ISO 3166-1 alpha-2 country. */
export function countryName(code: string): string {
  if (code === UNKNOWN_COUNTRY) return TEXTS.unknownCountry;
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : code;
}

export const formatName = (format: string): string =>
  Object.hasOwn(FORMAT_LABELS, format) ? FORMAT_LABELS[format as Format] : format;

/** The event tables hold the formats of the contract alone; anything else is a fault of whoever wrote it. */
export function knownFormat(format: string): Format {
  const found = FORMATS.find((one) => one === format);
  if (!found) throw new Error(`the statistics hold the unknown format ${format}`);
  return found;
}

/** What a table of the view calls its row. */
export function rowName(view: View, id: string, names: Names): string {
  switch (view) {
    case "date":
      return formatDay(id);
    case "country":
      return countryName(id);
    case "format":
      return formatName(id);
    case "provider":
      return names.provider(id);
    case "zone":
      return names.zone(id);
  }
}
