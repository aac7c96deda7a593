/// <reference lib="dom" />
import { init, type Millrace } from "@millrace/sdk";
import { formatCountExact, formatEarning } from "@millrace/units";
import { byId } from "./by-id.ts";
import { ZONES, type DemoConfig } from "./demo-config.ts";
import { logEvent, logLine } from "./event-log.ts";
import { playLamps } from "./play-lamps.ts";

const sums = { requests: 0, impressions: 0, clicks: 0, revenueMicros: 0 };

function showSums(): void {
  byId("requests").textContent = formatCountExact(sums.requests);
  byId("impressions").textContent = formatCountExact(sums.impressions);
  byId("clicks").textContent = formatCountExact(sums.clicks);
  byId("revenue").textContent = formatEarning(sums.revenueMicros);
}

function start(config: DemoConfig): Millrace {
  return init({
    app: config.app,
    platform: "android",
    endpoint: location.origin,
    // Poses as a phone that allows tracking, because a browser has no advertising id.
    device: { os: "android", osv: "15", make: "Google", model: "Pixel 9", ifa: advertisingId(), lmt: 0 },
    // This page's Content-Security-Policy is too strict for ads, so they run in the SDK's frame page.
    frameUrl: "/sdk/frame.html",
    onRevenue({ revenueMicros, provider, format }) {
      sums.revenueMicros += revenueMicros;
      logLine("Revenue", `${formatEarning(revenueMicros)} for a ${format} by ${provider}`, "good");
      showSums();
    },
    onError: ({ code, message }) => logLine("Error", `${code}: ${message}`, "bad"),
    onEvent(event) {
      if (event.type === "request") sums.requests += 1;
      if (event.type === "impression") sums.impressions += 1;
      if (event.type === "click") sums.clicks += 1;
      logEvent(event);
      showSums();
    },
  });
}

function advertisingId(): string {
  const kept = sessionStorage.getItem("demo-ifa") ?? crypto.randomUUID();
  sessionStorage.setItem("demo-ifa", kept);
  return kept;
}

const codeOf = (config: DemoConfig) => `import { init } from "@millrace/sdk";

const ads = init({
  app: "${config.app}",
  platform: "android",
  endpoint: "${location.origin}",
  onRevenue: ({ revenueMicros, provider }) => analytics.add(revenueMicros, provider),
});

ads.showBanner(element, { zone: "${ZONES.banner}", size: "320x50" });

await ads.showInterstitial({ zone: "${ZONES.interstitial}" });
`;

async function run(): Promise<void> {
  const reply = await fetch("/demo/config.json", { headers: { accept: "application/json" } });
  if (!reply.ok) throw new Error(`/demo/config.json answered ${reply.status}`);
  const config = (await reply.json()) as DemoConfig;
  byId("app-name").textContent = config.name;
  byId("dashboard").setAttribute("href", `/apps/${encodeURIComponent(config.app)}/performance`);
  byId("code").textContent = codeOf(config);

  const ads = start(config);
  const place = byId("banner");
  const newBanner = () => ads.showBanner(place, { zone: ZONES.banner, size: "320x50" });
  let banner = newBanner();
  byId("another").addEventListener("click", () => {
    banner.destroy();
    banner = newBanner();
  });

  let showing = false;
  const interstitial = async () => {
    if (showing) return;
    showing = true;
    byId("interstitial").setAttribute("aria-disabled", "true");
    await ads.showInterstitial({ zone: ZONES.interstitial, skipAfter: 5 });
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
