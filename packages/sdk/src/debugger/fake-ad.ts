import type { Ad, Format, Reply, sdkAd } from "@millrace/contract";

/** What fake ads report to; `redirectedTransport` answers there, and nothing leaves the page. */
export const fakeBeacons = (endpoint: string) => `${endpoint}/sdk/debugger/beacon/`;

/** An answer with one test ad that is drawn here: no auction was held, and it is worth nothing. */
export function fakeReply(endpoint: string, format: Format, size: { w?: unknown; h?: unknown }, auction: string) {
  const beacons = fakeBeacons(endpoint);
  const side = (value: unknown) => (typeof value === "number" ? value : null);
  return {
    auction,
    ads: [
      {
        provider: "debugger",
        format,
        markup: markupOf(endpoint, format),
        w: side(size.w),
        h: side(size.h),
        revenue_micros: 0,
        reward: { name: "test reward", amount: 1 },
        beacons: { impression: `${beacons}impression`, click: `${beacons}click`, loss: `${beacons}loss` },
      },
    ],
    refresh_seconds: 0,
    country: "XX",
    expires_seconds: 1500,
  } satisfies Reply<typeof sdkAd>;
}

function markupOf(endpoint: string, format: Format): Ad["markup"] {
  if (format === "native") return { type: "native", content: nativeAd(endpoint) };
  if (format === "banner" || format === "interstitial") return { type: "html", content: htmlAd(endpoint, format) };
  return { type: "vast", content: vastAd(endpoint, format === "audio" ? "audio" : "video") };
}

/** A destination that is the platform's own: a test ad leads to no advertiser. */
const landing = (endpoint: string) => `${endpoint}/`;

const htmlAd = (endpoint: string, format: Format) => `<style>
a{display:flex;flex-direction:column;align-items:center;justify-content:center;position:absolute;inset:0;background:#0f5c63;color:#fff;font:700 20px system-ui,sans-serif;text-decoration:none}
</style><a href="${landing(endpoint)}">Test ad<small>${format}</small></a>`;

/** Native 1.2; the ids are those under which the platform asks for assets. */
const nativeAd = (endpoint: string) =>
  JSON.stringify({
    assets: [
      { id: 1, title: { text: "Test ad" } },
      { id: 2, img: { url: `${endpoint}/sdk/test.svg` } },
      { id: 3, img: { url: `${endpoint}/sdk/test.svg` } },
      { id: 4, data: { value: "This native ad was drawn by the debugger." } },
      { id: 5, data: { value: "Open" } },
      { id: 6, data: { value: "Debugger" } },
    ],
    link: { url: landing(endpoint) },
  });

const vastAd = (endpoint: string, kind: "video" | "audio") =>
  `<VAST version="4.2"><Ad id="test" adType="${kind}"><InLine><AdSystem>Debugger</AdSystem><AdServingId>test</AdServingId><AdTitle>Test ad</AdTitle><Creatives><Creative id="test"><Linear><Duration>00:00:15</Duration><MediaFiles><MediaFile delivery="progressive" type="${kind}/mp4" width="320" height="180"><![CDATA[${endpoint}/sdk/test.mp4]]></MediaFile></MediaFiles><VideoClicks><ClickThrough><![CDATA[${landing(endpoint)}]]></ClickThrough></VideoClicks></Linear></Creative></Creatives></InLine></Ad></VAST>`;
