/**
 * Standard rates of VAT in hundredths of a percent, by the day from which they are valid. The first row of a country was in force on
 * that day; nothing before it is known. A change is a new row: documents about earlier days keep the earlier rate.
 *
 * Sources: European Commission, Taxes in Europe Database (member states); HMRC, VAT rates (GB); Swiss VAT Act, Article 25 (CH);
 * Norwegian Tax Administration, Merverdiavgift satser (NO). As of November 2026.
 */
export const VAT_RATES: Readonly<Record<string, readonly (readonly [from: string, basisPoints: number])[]>> = {
  AT: [["2021-01-01", 2000]],
  BE: [["2021-01-01", 2100]],
  BG: [["2021-01-01", 2000]],
  CY: [["2021-01-01", 1900]],
  CZ: [["2021-01-01", 2100]],
  DE: [["2021-01-01", 1900]],
  DK: [["2021-01-01", 2500]],
  EE: [
    ["2021-01-01", 2000],
    ["2024-01-01", 2200],
    ["2025-07-01", 2400],
  ],
  ES: [["2021-01-01", 2100]],
  FI: [
    ["2021-01-01", 2400],
    ["2024-09-01", 2550],
  ],
  FR: [["2021-01-01", 2000]],
  GR: [["2021-01-01", 2400]],
  HR: [["2021-01-01", 2500]],
  HU: [["2021-01-01", 2700]],
  IE: [
    ["2021-01-01", 2100],
    ["2021-03-01", 2300],
  ],
  IT: [["2021-01-01", 2200]],
  LT: [["2021-01-01", 2100]],
  LU: [
    ["2021-01-01", 1700],
    ["2023-01-01", 1600],
    ["2024-01-01", 1700],
  ],
  LV: [["2021-01-01", 2100]],
  MT: [["2021-01-01", 1800]],
  NL: [["2021-01-01", 2100]],
  PL: [["2021-01-01", 2300]],
  PT: [["2021-01-01", 2300]],
  RO: [
    ["2021-01-01", 1900],
    ["2025-08-01", 2100],
  ],
  SE: [["2021-01-01", 2500]],
  SI: [["2021-01-01", 2200]],
  SK: [
    ["2021-01-01", 2000],
    ["2025-01-01", 2300],
  ],
  GB: [["2021-01-01", 2000]],
  CH: [
    ["2021-01-01", 770],
    ["2024-01-01", 810],
  ],
  NO: [["2021-01-01", 2500]],
};
