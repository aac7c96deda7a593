import { escapeHtml, webUrl } from "@millrace/openrtb";
import type { BeaconUrls } from "../delivery/beacon-urls.ts";
import { childOf, descendantsOf, edited, scanXml, type XmlEdit, type XmlElement } from "./scan-xml.ts";

/** An answer without an ad (VAST 4.2, section 2.3.6.4): players move on. */
export const EMPTY_VAST = `<?xml version="1.0" encoding="UTF-8"?>\n<VAST version="4.2" xmlns="http://www.iab.com/VAST"/>\n`;

/** What our beacons stand in; `isAudio` marks the ad for audio players (section 3.3). */
export interface VastTracking {
  adId: string;
  beacons: BeaconUrls;
  isAudio: boolean;
}

/**
 * A bidder's VAST with our Impression, Error and ClickTracking beside its own; its address becomes a Wrapper around it.
 * Null for what is neither, or holds no ad: it could not be counted, so it is not shown.
 */
export function trackedVast(adm: string, tracking: VastTracking): string | null {
  const text = adm.trim();
  if (webUrl(text) !== undefined) return wrapperVast(text, tracking);
  const root = scanXml(text);
  const ad = root?.name === "VAST" ? childOf(root, "Ad") : undefined;
  const body = childOf(ad, "InLine") ?? childOf(ad, "Wrapper");
  if (!ad || !body || body.isEmptyTag) return null;
  return edited(text, [...audioMark(text, ad, tracking), beaconsEdit(body, tracking), ...clickEdits(body, tracking)]);
}

function audioMark(text: string, ad: XmlElement, { isAudio }: VastTracking): XmlEdit[] {
  if (!isAudio || /\sadType\s*=/.test(text.slice(ad.openAt, ad.openEnd))) return [];
  return [{ at: ad.openAt + "<Ad".length, remove: 0, insert: ' adType="audio"' }];
}

/** Before the bidder's own Impression, or where one would stand. */
function beaconsEdit(body: XmlElement, { beacons }: VastTracking): XmlEdit {
  const next = childOf(body, "Impression") ?? childOf(body, "Creatives");
  return { at: next?.openAt ?? body.closeAt, remove: 0, insert: `${errorTag(beacons)}${impressionTag(beacons)}` };
}

function clickEdits(body: XmlElement, { beacons }: VastTracking): XmlEdit[] {
  const tag = `<ClickTracking id="millrace">${cdata(beacons.click)}</ClickTracking>`;
  return descendantsOf(body, "Linear").map((linear) => {
    const clicks = childOf(linear, "VideoClicks");
    if (!clicks && linear.isEmptyTag) {
      return { at: linear.openEnd - "/>".length, remove: 2, insert: `><VideoClicks>${tag}</VideoClicks></Linear>` };
    }
    if (!clicks) return { at: linear.closeAt, remove: 0, insert: `<VideoClicks>${tag}</VideoClicks>` };
    if (!clicks.isEmptyTag) return { at: clicks.closeAt, remove: 0, insert: tag };
    return { at: clicks.openEnd - "/>".length, remove: 2, insert: `>${tag}</VideoClicks>` };
  });
}

/** Our own document around the address of another. */
function wrapperVast(url: string, { adId, beacons, isAudio }: VastTracking): string {
  const adType = isAudio ? ' adType="audio"' : "";
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<VAST version="4.2" xmlns="http://www.iab.com/VAST">` +
    `<Ad id="${escapeHtml(adId)}"${adType}><Wrapper followAdditionalWrappers="1"><AdSystem>Millrace</AdSystem>` +
    `${errorTag(beacons)}${impressionTag(beacons)}` +
    `<VASTAdTagURI>${cdata(url)}</VASTAdTagURI>` +
    `<Creatives><Creative><Linear><VideoClicks><ClickTracking id="millrace">${cdata(beacons.click)}</ClickTracking>` +
    `</VideoClicks></Linear></Creative></Creatives></Wrapper></Ad></VAST>\n`
  );
}

const impressionTag = ({ impression }: BeaconUrls) => `<Impression id="millrace">${cdata(impression)}</Impression>`;
// The player puts its code into the macro.
const errorTag = ({ loss }: BeaconUrls) => `<Error>${cdata(`${loss}&e=[ERRORCODE]`)}</Error>`;

/** Text as character data; an end mark within it would end it early. */
const cdata = (text: string) => `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
