import { UNKNOWN_COUNTRY } from "@millrace/contract";

const VISITOR_COUNTRY = "US";

/**
 * Looks up the country of an address. In the demo, an address without one, such as a visitor's on the local machine, counts as
 * the United States, so that bidders want it.
 */
export const withVisitorCountry =
  (countryOf: (ip: string) => string) =>
  (ip: string): string => {
    const country = countryOf(ip);
    return country === UNKNOWN_COUNTRY ? VISITOR_COUNTRY : country;
  };
