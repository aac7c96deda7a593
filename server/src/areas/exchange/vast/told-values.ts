/** A macro that nobody has filled in, as players, ad servers and tag managers write them; `-2` says that its value must not be told. */
const UNTOLD = /^(?:-2|\[[^\]]*\]|%%.*%%|\$?\{.*\}|__\w+__)?$/s;
/** What players fill in for a value that they do not know (VAST 4.2, section 6.1). */
const UNKNOWN = "-1";
/** Where -1 is a value: of GPP sections, none applies. */
const TAKES_NEGATIVE = "gpp_sid";

/** The query of a tag without the values that its player did not tell, so that none of them is taken for a value. */
export function toldValues(query: unknown): Record<string, unknown> {
  const told = Object.entries(query as Record<string, unknown>).filter(([name, value]) => {
    if (typeof value !== "string") return true;
    return !UNTOLD.test(value) && (value !== UNKNOWN || name === TAKES_NEGATIVE);
  });
  return Object.fromEntries(told);
}
