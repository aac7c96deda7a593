/** A country of the demo's devices, and the price of an impression there. */
export interface Country {
  /** ISO 3166-1 alpha-2, and alpha-3 as OpenRTB writes it. */
  code: string;
  alpha3: string;
  /** Local time minus UTC in hours, for most of the population. */
  utcOffsetHours: number;
  /** Prices relative to the United States. */
  priceFactor: number;
  language: string;
}

const country = (
  code: string,
  alpha3: string,
  utcOffsetHours: number,
  priceFactor: number,
  language: string,
): Country => ({ code, alpha3, utcOffsetHours, priceFactor, language });

export const COUNTRIES = [
  country("US", "USA", -6, 1, "en"),
  country("CA", "CAN", -5, 0.74, "en"),
  country("GB", "GBR", 0, 0.78, "en"),
  country("DE", "DEU", 1, 0.72, "de"),
  country("FR", "FRA", 1, 0.52, "fr"),
  country("NL", "NLD", 1, 0.6, "nl"),
  country("SE", "SWE", 1, 0.62, "sv"),
  country("ES", "ESP", 1, 0.4, "es"),
  country("IT", "ITA", 1, 0.42, "it"),
  country("PL", "POL", 1, 0.31, "pl"),
  country("TR", "TUR", 3, 0.19, "tr"),
  country("AU", "AUS", 10, 0.83, "en"),
  country("JP", "JPN", 9, 0.79, "ja"),
  country("KR", "KOR", 9, 0.66, "ko"),
  country("TW", "TWN", 8, 0.48, "zh"),
  country("BR", "BRA", -3, 0.21, "pt"),
  country("MX", "MEX", -6, 0.24, "es"),
  country("AR", "ARG", -3, 0.16, "es"),
  country("IN", "IND", 5.5, 0.11, "en"),
  country("ID", "IDN", 7, 0.13, "id"),
  country("VN", "VNM", 7, 0.14, "vi"),
  country("PH", "PHL", 8, 0.15, "en"),
  country("ZA", "ZAF", 2, 0.2, "en"),
  country("NG", "NGA", 1, 0.09, "en"),
] as const satisfies readonly Country[];
export type CountryCode = (typeof COUNTRIES)[number]["code"];

const byCode = new Map<string, Country>(COUNTRIES.map((each) => [each.code, each]));
const byAlpha3 = new Map<string, Country>(COUNTRIES.map((each) => [each.alpha3, each]));

/** Finds a country by either code; undefined for countries without demo devices. */
export const findCountry = (code: string | undefined): Country | undefined =>
  code === undefined ? undefined : (byCode.get(code) ?? byAlpha3.get(code));
