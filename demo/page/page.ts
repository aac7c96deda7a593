/// <reference lib="dom" />
import { destroyAd, initialize, loadAd, showAd, type SdkEvent } from "@millrace/sdk";
import { formatCountExact, formatEarning } from "@millrace/units";
import { byId } from "./by-id.ts";
import { ZONES, type DemoConfig } from "./demo-config.ts";
import { logEvent } from "./event-log.ts";
import { playLamps } from "./play-lamps.ts";

const sums = { requests: 0, impressions: 0, clicks: 0, revenueMicros: 0 };

function showSums(): void {
  byId("requests").textContent = formatCountExact(sums.requests);
  byId("impressions").textContent = formatCountExact(sums.impressions);
  byId("clicks").textContent = formatCountExact(sums.clicks);
  byId("revenue").textContent = formatEarning(sums.revenueMicros);
}

function start(config: DemoConfig): Promise<unknown> {
  return initialize({
    app: config.app,
    platform: "android",
    endpoint: location.origin,
    // Poses as a phone that allows tracking, because a browser has no advertising id.
    device: { os: "android", osv: "15", make: "Google", model: "Pixel 9", ifa: advertisingId(), lmt: 0 },
    // This page's Content-Security-Policy is too strict for ads, so they run in the SDK's frame page.
    frameUrl: "/sdk/frame.html",
    logLevel: "none",
    onEvent: count,
  });
}

function count(event: SdkEvent): void {
  if (event.type === "requested") sums.requests += 1;
  if (event.type === "displayed") sums.impressions += 1;
  if (event.type === "clicked") sums.clicks += 1;
  if (event.type === "revenuePaid") sums.revenueMicros += event.priceMicros;
  logEvent(event);
  showSums();
}

function advertisingId(): string {
  const kept = sessionStorage.getItem("demo-ifa") ?? crypto.randomUUID();
  sessionStorage.setItem("demo-ifa", kept);
  return kept;
}

const codeOf = (config: DemoConfig) => `import { addListener, initialize, loadAd, showAd } from "@millrace/sdk";

addListener("revenuePaid", ({ priceMicros, network }) => analytics.add(priceMicros, network));

await initialize({
  app: "${config.app}",
  platform: "android",
  endpoint: "${location.origin}",
});

// A banner loads its ads itself, and refreshes them.
showAd("${ZONES.banner}", { into: element, size: "320x50" });

// A full-screen ad is loaded before it is needed.
const { ok } = await loadAd({ zone: "${ZONES.interstitial}", format: "interstitial" });
if (ok) await showAd("${ZONES.interstitial}");
`;

async function run(): Promise<void> {
  const reply = await fetch("/demo/config.json", { headers: { accept: "application/json" } });
  if (!reply.ok) throw new Error(`/demo/config.json answered ${reply.status}`);
  const config = (await reply.json()) as DemoConfig;
  byId("app-name").textContent = config.name;
  byId("dashboard").setAttribute("href", `/apps/${encodeURIComponent(config.app)}/performance`);
  byId("code").textContent = codeOf(config);

  const place = byId("banner");
  const newBanner = () => void showAd(ZONES.banner, { into: place, size: "320x50" });
  void start(config);
  newBanner();
  byId("another").addEventListener("click", () => {
    destroyAd(ZONES.banner);
    newBanner();
  });

  let showing = false;
  const interstitial = async () => {
    if (showing) return;
    showing = true;
    byId("interstitial").setAttribute("aria-disabled", "true");
    const { ok } = await loadAd({ zone: ZONES.interstitial, format: "interstitial" });
    if (ok) await showAd(ZONES.interstitial, { skipAfter: 5 });
    byId("interstitial").removeAttribute("aria-disabled");
    showing = false;
  };
  byId("interstitial").addEventListener("click", () => void interstitial());
  playLamps(interstitial);
}

run().catch((cause: unknown) => {
  const trouble = byId("trouble");
  trouble.textContent = `The demo app could not start: ${cause instanceof Error ? cause.message : String(cause)}`;
  trouble.hidden = false;
});
byId("clock").textContent = new Date().toLocaleTimeString("en-GB", { hour: "numeric", minute: "2-digit" });
