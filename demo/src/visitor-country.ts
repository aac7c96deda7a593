/** Addresses of the machine itself and of private networks: a person who tries the demo comes from one, and it has no country. */
const LOCAL = /^(::ffff:)?(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)|^::1$|^f[cd]/i;

const VISITOR_COUNTRY = "US";

/** The country of an address; in the demo whoever tries it out counts as somebody that bidders want to reach. */
export const withVisitorCountry =
  (countryOf: (ip: string) => string) =>
  (ip: string): string =>
    LOCAL.test(ip) ? VISITOR_COUNTRY : countryOf(ip);
