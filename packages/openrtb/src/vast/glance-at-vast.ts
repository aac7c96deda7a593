import { versionNamed } from "./read-vast.ts";

/** What a VAST document says at a glance. */
export interface VastGlance {
  /** Its version before the dot: players that know a version take the later ones with the same number. */
  major?: number;
  /** The length of its linear creative in seconds. */
  dur?: number;
}

/** What matters comes early, and markup is as long as a bidder likes. */
const MOST_READ = 64 * 1024;
const SPACE = /\s*/y;
const ROOT = /<VAST(\s[^<>]*)?>/y;
const VERSION = /\sversion\s*=\s*["']([^"'<>]{1,20})["']/;
const MARK = /<!--|<!\[CDATA\[|<\/InLine\b|<(?:InLine|Wrapper|Linear|Duration)(?=[\s/>])/g;
/** Long enough for a time in CDATA. Expressions with several optional spaces see no more. */
const TIME_LENGTH = 100;
const TIME =
  /^<Duration\s*>\s*(?:<!\[CDATA\[\s*)?(\d{1,2}):([0-5]\d):([0-5]\d(?:\.\d{1,3})?)\s*(?:\]\]>\s*)?<\/Duration/;

/**
 * Reads the version, and the length of the first ad, without parsing the document, because auctions judge bids by them. What is
 * missing or unreadable is left out; undefined if nothing remains.
 */
export function glanceAtVast(markup: string): VastGlance | undefined {
  const text = markup.length > MOST_READ ? markup.slice(0, MOST_READ) : markup;
  ROOT.lastIndex = rootAt(text);
  const [tag, attributes = ""] = ROOT.exec(text) ?? [];
  if (tag === undefined) return undefined;
  const ad = firstAd(text, ROOT.lastIndex);
  if (ad === undefined) return undefined;
  const version = versionNamed(VERSION.exec(attributes)?.[1] ?? "");
  const glance: VastGlance = {};
  if (version !== null) glance.major = Number.parseInt(version, 10);
  if (ad.dur !== undefined) glance.dur = ad.dur;
  return version === null && ad.dur === undefined ? undefined : glance;
}

/** Where the root's tag begins: behind the declaration and comments. */
function rootAt(text: string): number {
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  for (;;) {
    SPACE.lastIndex = at;
    SPACE.exec(text);
    at = SPACE.lastIndex;
    const closing = text.startsWith("<?", at) ? "?>" : text.startsWith("<!--", at) ? "-->" : undefined;
    const end = closing === undefined ? -1 : text.indexOf(closing, at + 2);
    if (closing === undefined || end === -1) return at;
    at = end + closing.length;
  }
}

/** The first ad, and if it is an InLine, the length of its Linear in seconds; undefined without an ad. Comments and CDATA are skipped. */
function firstAd(text: string, from: number): { dur?: number | undefined } | undefined {
  let isInline = false;
  let isLinear = false;
  MARK.lastIndex = from;
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
    switch (mark[0]) {
      case "<InLine":
        isInline = true;
        break;
      case "<Linear":
        isLinear = isInline;
        break;
      case "<Duration":
        if (isLinear) return { dur: secondsAt(text, mark.index) };
        break;
      case "<Wrapper":
      case "</InLine":
        return {};
      default: {
        const end = text.indexOf(mark[0] === "<!--" ? "-->" : "]]>", MARK.lastIndex);
        if (end === -1) return isInline ? {} : undefined;
        MARK.lastIndex = end;
      }
    }
  }
  return isInline ? {} : undefined;
}

/** In whole seconds, since encoders rarely make exact ones. */
function secondsAt(text: string, at: number): number | undefined {
  const [, hours, minutes, seconds] = TIME.exec(text.slice(at, at + TIME_LENGTH)) ?? [];
  const whole = Math.round(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  return whole > 0 ? whole : undefined;
}
