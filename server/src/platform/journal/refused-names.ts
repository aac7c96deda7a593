/**
 * Refused rows are kept under the name of their segment and a number, one more each time that some are refused again: a token is of the
 * segment's name and stands for the same rows for good.
 */
const NUMBERED = /^(?<segment>.+)-r(?<nth>\d+)$/;

/** The name for what is refused of a segment. */
export function nameOfRefused(name: string): string {
  const { segment = name, nth = "0" } = NUMBERED.exec(name)?.groups ?? {};
  return `${segment}-r${Number(nth) + 1}`;
}

/** The segment whose refused rows have this name; undefined for a segment's own. */
export function formerName(name: string): string | undefined {
  const { segment, nth } = NUMBERED.exec(name)?.groups ?? {};
  if (segment === undefined) return undefined;
  return nth === "1" ? segment : `${segment}-r${Number(nth) - 1}`;
}
