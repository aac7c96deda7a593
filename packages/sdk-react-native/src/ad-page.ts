import type { Ad, Format } from "@millrace/contract";

/** What the page of an ad tells. */
export type PageMessage =
  | { type: "started" | "failed" | "clicked" | "rewarded" | "hidden" }
  | { type: "open"; url: string };

interface AdPage {
  ad: Ad;
  format: Format;
  /** The platform's address, from which the page loads the renderer of its markup. */
  endpoint: string;
  /** Marks the page's own messages: frames of ads can send messages, too, but cannot read this one. */
  nonce: string;
  isFullScreen: boolean;
  /** Seconds until a full-screen ad can be closed. */
  skipAfter: number | undefined;
}

/** The page of a web view that shows one ad with the web SDK's renderer. */
export function adPage({ ad, format, endpoint, nonce, isFullScreen, skipAfter }: AdPage): string {
  const json = (value: unknown) => JSON.stringify(value).replaceAll("<", String.raw`\u003c`);
  const place = isFullScreen
    ? json(skipAfter === undefined ? {} : { skipAfter })
    : `{ into: document.getElementById("place") }`;
  return `<!doctype html><html><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, maximum-scale=1, viewport-fit=cover">
<style>html, body { margin: 0; height: 100%; overflow: hidden; background: transparent }</style></head>
<body><div id="place"></div><script>
(function () {
  var send = window.ReactNativeWebView;
  var tell = function (type, url) {
    send.postMessage(JSON.stringify({ nonce: ${json(nonce)}, type: type, url: url }));
  };
  window.open = function (url) { tell("open", String(url)); return null; };
  var on = {
    clicked: function () { tell("clicked"); },
    rewarded: function () { tell("rewarded"); },
    hidden: function () { tell("hidden"); },
  };
  var budget = { take: function () { return true; }, isUsedUp: function () { return false; }, refill: function () {} };
  import(${json(`${endpoint}/sdk/${ad.markup.type}.mjs`)})
    .then(function (renderer) { return renderer.prepare(${json(ad)}, { format: ${json(format)}, budget: budget }); })
    .then(function (prepared) { return prepared !== null && prepared.show(${place}, on); })
    .then(function (shows) { tell(shows ? "started" : "failed"); }, function () { tell("failed"); });
})();
</script></body></html>`;
}

/** The message of a page with this nonce; null for anything else. */
export function readPageMessage(text: string, nonce: string): PageMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || !("nonce" in value) || value.nonce !== nonce) return null;
  const { type, url } = value as { type?: unknown; url?: unknown };
  if (type === "open") return typeof url === "string" ? { type, url } : null;
  const known = (["started", "failed", "clicked", "rewarded", "hidden"] as const).find((name) => name === type);
  return known === undefined ? null : { type: known };
}
