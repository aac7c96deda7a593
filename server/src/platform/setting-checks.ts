import { isIPv6 } from "node:net";
import { z } from "zod";

export const flag = z.enum(["0", "1"]).transform((value) => value === "1");

export const oneLine = z.string().regex(/^\P{Cc}+$/u, "must be one line");

export const address = (protocols: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `must be an address starting with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
    );

/** Pages, cookies and the links in mails are at the root of their host. */
export const publicAddress = address(["http:", "https:"]).refine((text) => {
  if (!URL.canParse(text)) return true;
  const { pathname, search, hash } = new URL(text);
  return /^\/*$/.test(pathname) && search === "" && hash === "";
}, "must be an address without a path");

/** The items of a list with commas. */
export const listOf = (text: string): string[] => text.split(",").flatMap((item) => item.trim() || []);

const regions = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
/** Not an old or a colloquial code, such as UK, which no request has. */
export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && regions.of(code) !== undefined && new Intl.Locale(`und-${code}`).region === code;

/**
 * Where the GDPR or the United Kingdom's applies, by ISO 3166-1: the European Economic Area, the parts of France and Finland in
 * the Union that have codes of their own, and the United Kingdom with Gibraltar.
 */
export const GDPR_COUNTRIES: readonly string[] =
  "AT AX BE BG CY CZ DE DK EE ES FI FR GB GF GI GP GR HR HU IE IS IT LI LT LU LV MF MQ MT NL NO PL PT RE RO SE SI SK YT".split(
    " ",
  );

/** Countries by their ISO 3166-1 codes; `none` is an empty list. */
export const countries = z
  .string()
  .transform((text) => (text.trim().toLowerCase() === "none" ? [] : listOf(text.toUpperCase())))
  .refine((codes) => codes.every(isCountry), "must be country codes such as DE,FR, or none");

const LOOPBACK = /^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(\/|$)/;
/** An OpenID issuer: HTTPS (OpenID Connect Discovery, section 3), but for one on this very machine. */
export const issuer = address(["https:", "http:"]).refine(
  (text) => !text.startsWith("http:") || LOOPBACK.test(text),
  "must start with https://, unless it is on this machine",
);

/** An IPv6 address may name its interface: `fe80::1%eth0`. */
export const host = z
  .string()
  .min(1)
  .refine(
    (text) => isIPv6(text) || (/^[\w.-]+$/.test(text) && URL.canParse(`http://${text}`)),
    "must be an address or a name of this machine, such as 127.0.0.1",
  );

/** Values up to 1 are refused: 0.8 was probably meant as 80 percent, and 1 as all. */
export const sharePercent = z.coerce
  .number()
  .min(0)
  .max(100)
  .refine((percent) => percent === 0 || percent > 1, "must be in percent, such as 80");

const listed = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** What a setting must be, where its check has no sentence of its own. */
export function settingFault(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "int" ? "must be a whole number" : "must be a number";
    case "invalid_value":
      return `must be ${listed.format(issue.values.map(String))}`;
    case "invalid_format":
      return issue.format === "email" ? "must be an e-mail address" : undefined;
    case "too_small":
      return issue.origin === "string"
        ? `must have ${issue.minimum} characters or more`
        : `must be ${issue.minimum} or more`;
    case "too_big":
      return issue.origin === "string"
        ? `must have ${issue.maximum} characters or fewer`
        : `must be ${issue.maximum} or less`;
    default:
      return undefined;
  }
}
