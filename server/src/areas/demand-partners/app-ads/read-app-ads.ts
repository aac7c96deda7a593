import type { GuardedAnswer, GuardedClient } from "../../../platform/outbound/guarded-get.ts";

export type SiteClient = Pick<GuardedClient, "readOnce">;

/** A developer's site. */
export interface Site {
  domain: string;
  /** Where the file is looked for, in this order; HTTPS and then HTTP unless given. */
  origins?: readonly string[];
  /** Origins that may be in a private network; none in production. */
  trustedOrigins?: ReadonlySet<string>;
}

/** The file that was read, or why buyers cannot read it; then it has no text. */
interface SiteFile {
  url: string;
  problem: string | null;
  body: string;
}

/** The limits for addresses that users enter. The time is for all redirects of one origin together. */
const TIMEOUT_MS = 5000;
const MAX_BYTES = 1024 * 1024;
const MAX_REDIRECTS = 5;

const PROBLEMS = {
  bad_address: "The address cannot be fetched",
  closed_address: "The address is in a private network",
  failed: "The site did not answer with a text file",
  timeout: "The site did not answer within five seconds",
  too_many_redirects: "The site redirects too often",
  too_large: "The file is larger than 1 MiB",
} as const;
const UNREACHABLE = "No connection to the site can be made";
const AWAY_TWICE = "The site redirects to another domain, which redirects again: buyers do not follow that";
const NOT_PLAIN = "The file is not of the type text/plain, so buyers do not read it";

/**
 * Reads a developer site's file as buyers do (ads.txt 1.1 and app-ads.txt 1.0, section 3): over HTTPS, and over HTTP only if no
 * HTTPS connection can be made. Of two failed connections, the first is reported.
 */
export async function readAppAds(client: SiteClient, site: Site): Promise<SiteFile> {
  const { domain, origins = [`https://${domain}`, `http://${domain}`] } = site;
  let unreachable: SiteFile | undefined;
  for (const origin of origins) {
    const url = `${origin}/app-ads.txt`;
    const { isUnconnected, ...read } = await followed(client, site, url);
    const file = { url, problem: null, body: "", ...read };
    if (!isUnconnected) return file;
    unreachable ??= file;
  }
  return unreachable ?? { url: "", problem: UNREACHABLE, body: "" };
}

type Followed = ({ body: string } | { problem: string }) & { isUnconnected: boolean };

async function followed(client: SiteClient, { domain, trustedOrigins }: Site, from: string): Promise<Followed> {
  const refused = (problem: string): Followed => ({ problem, isUnconnected: false });
  const end = performance.now() + TIMEOUT_MS;
  let url = from;
  for (let redirects = 0; ; redirects++) {
    const options = { maxBytes: MAX_BYTES, trustedOrigins: trustedOrigins ?? new Set<string>() };
    const answer = await client.readOnce(url, { ...options, timeoutMs: end - performance.now() });
    if (!answer.ok) {
      // A redirect proves that the site itself was connected to, and a private address is one over HTTP, too.
      const isUnconnected = answer.isUnconnected && redirects === 0 && answer.reason !== "closed_address";
      return { problem: problemOf(answer), isUnconnected };
    }
    if (answer.location === undefined) return { ...readingOf(answer), isUnconnected: false };
    if (redirects === MAX_REDIRECTS) return refused(PROBLEMS.too_many_redirects);
    // One redirect may lead to another root domain, to the company that keeps the file. It must be the last.
    if (!isInRootDomain(new URL(url).hostname, domain)) return refused(AWAY_TWICE);
    url = answer.location;
  }
}

const problemOf = ({ reason, isUnconnected }: Extract<GuardedAnswer, { ok: false }>): string =>
  reason === "failed" && isUnconnected ? UNREACHABLE : PROBLEMS[reason];

/** What an answer that is no redirect means. */
function readingOf(answer: Extract<GuardedAnswer, { ok: true }>): { body: string } | { problem: string } {
  const { status, contentType, body } = answer;
  // Buyers keep what they read before, and try again later.
  if (status >= 500 || status === 408 || status === 429) {
    return { problem: `The file cannot be read now: the site answered ${status}` };
  }
  if (status >= 400) return { problem: `The site has no file for buyers: it answered ${status}` };
  if (status < 200 || status > 299) return { problem: `The site answered ${status}` };
  if (!/^text\/plain\s*(;|$)/i.test(contentType.trim())) return { problem: NOT_PLAIN };
  return body === null ? { problem: PROBLEMS.failed } : { body };
}

/**
 * Whether a host belongs to the root domain of a site: its own domain, those below, and those above it. Siblings count as another root
 * domain, because only a list of public suffixes tells that `a.co.uk` and `b.co.uk` have two owners, and `a.studio.uk` and `b.studio.uk`
 * one. That is the stricter answer: it allows one redirect less.
 */
export function isInRootDomain(host: string, siteDomain: string): boolean {
  const domain = siteDomain.replace(/^(www|m)\.(?=.+\.)/, "");
  return host === domain || host.endsWith(`.${domain}`) || (host.includes(".") && domain.endsWith(`.${host}`));
}
