import { PROTOCOL } from "../lists.ts";
import { versionNamed } from "./read-vast.ts";
import type { VastVersion } from "./vast-schema.data.ts";

/** What a VAST document says at a glance. */
export interface VastGlance {
  /** Its version and kind, of AdCOM's list of audio and video subtypes. */
  protocol?: number;
  /** The length of its linear creative in seconds. */
  dur?: number;
}

/** As an InLine, and as a Wrapper. */
const PROTOCOLS: Readonly<Record<VastVersion, { InLine: number; Wrapper: number }>> = {
  "2.0": { InLine: PROTOCOL.vast2, Wrapper: PROTOCOL.vast2Wrapper },
  "3.0": { InLine: PROTOCOL.vast3, Wrapper: PROTOCOL.vast3Wrapper },
  "4.0": { InLine: PROTOCOL.vast4, Wrapper: PROTOCOL.vast4Wrapper },
  "4.1": { InLine: PROTOCOL.vast41, Wrapper: PROTOCOL.vast41Wrapper },
  "4.2": { InLine: PROTOCOL.vast42, Wrapper: PROTOCOL.vast42Wrapper },
  "4.3": { InLine: PROTOCOL.vast43, Wrapper: PROTOCOL.vast43Wrapper },
};

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
 * Reads version, kind and length of the first ad without parsing the document, because auctions judge bids by them. What is not
 * there or not readable is not told; undefined if that is everything.
 */
export function glanceAtVast(markup: string): VastGlance | undefined {
  const text = markup.length > MOST_READ ? markup.slice(0, MOST_READ) : markup;
  ROOT.lastIndex = rootAt(text);
  const [tag, attributes = ""] = ROOT.exec(text) ?? [];
  if (tag === undefined) return undefined;
  const { kind, dur } = firstAd(text, ROOT.lastIndex);
  const version = versionNamed(VERSION.exec(attributes)?.[1] ?? "");
  if (kind === undefined) return undefined;
  const glance: VastGlance = {};
  if (version !== null) glance.protocol = PROTOCOLS[version][kind];
  if (dur !== undefined) glance.dur = dur;
  return version === null && dur === undefined ? undefined : glance;
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

/** The kind of the first ad, and the length of an InLine's Linear in seconds. Comments and CDATA are skipped. */
function firstAd(text: string, from: number): { kind?: "InLine" | "Wrapper"; dur?: number | undefined } {
  let isInline = false;
  let isLinear = false;
  MARK.lastIndex = from;
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
    switch (mark[0]) {
      case "<InLine":
        isInline = true;
        break;
      case "<Wrapper":
        return isInline ? { kind: "InLine" } : { kind: "Wrapper" };
      case "<Linear":
        isLinear = isInline;
        break;
      case "<Duration":
        if (isLinear) return { kind: "InLine", dur: secondsAt(text, mark.index) };
        break;
      case "</InLine":
        return { kind: "InLine" };
      default: {
        const end = text.indexOf(mark[0] === "<!--" ? "-->" : "]]>", MARK.lastIndex);
        if (end === -1) return isInline ? { kind: "InLine" } : {};
        MARK.lastIndex = end;
      }
    }
  }
  return isInline ? { kind: "InLine" } : {};
}

/** In whole seconds, since encoders rarely make exact ones. */
function secondsAt(text: string, at: number): number | undefined {
  const [, hours, minutes, seconds] = TIME.exec(text.slice(at, at + TIME_LENGTH)) ?? [];
  const whole = Math.round(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  return whole > 0 ? whole : undefined;
}
