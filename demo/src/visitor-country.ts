import { UNKNOWN_COUNTRY } from "@millrace/contract";

const VISITOR_COUNTRY = "US";

/**
 * The country of an address. In the demo an address without one, as a person has who tries it on their own machine, counts as
 * one that bidders want to reach.
 */
export const withVisitorCountry =
  (countryOf: (ip: string) => string) =>
  (ip: string): string => {
    const country = countryOf(ip);
    return country === UNKNOWN_COUNTRY ? VISITOR_COUNTRY : country;
  };
