/// <reference lib="dom" />
import type { Format } from "@millrace/contract";
import { addListener, destroyAd, loadAd, showAd, showDebugger, type SdkEvent } from "@millrace/sdk";
import { formatCountExact, formatEarning } from "@millrace/units";
import { byId } from "./by-id.ts";
import { ZONES, type DemoConfig } from "./demo-config.ts";
import { logEvent } from "./event-log.ts";
import { playLamps } from "./play-lamps.ts";
import { readConfig, startSdk } from "./start-sdk.ts";

const sums = { requests: 0, impressions: 0, clicks: 0, revenueMicros: 0 };

function showSums(): void {
  byId("requests").textContent = formatCountExact(sums.requests);
  byId("impressions").textContent = formatCountExact(sums.impressions);
  byId("clicks").textContent = formatCountExact(sums.clicks);
  byId("revenue").textContent = formatEarning(sums.revenueMicros);
}

function count(event: SdkEvent): void {
  if (event.type === "requested") sums.requests += 1;
  if (event.type === "displayed") sums.impressions += 1;
  if (event.type === "clicked") sums.clicks += 1;
  if (event.type === "revenuePaid") sums.revenueMicros += event.priceMicros;
  logEvent(event);
  showSums();
}

const codeOf = (config: DemoConfig) => `import { addListener, initialize, loadAd, showAd } from "@millrace/sdk";

addListener("revenuePaid", ({ priceMicros, network }) => analytics.add(priceMicros, network));
addListener("rewardReceived", ({ reward }) => game.give(reward.name, reward.amount));

await initialize({
  app: "${config.app}",
  platform: "android",
  endpoint: "${location.origin}",
});

// A banner loads its ads itself, and refreshes them.
showAd("${ZONES.banner}", { into: element, size: "320x50" });

// Any other ad is loaded before it is needed.
const { ok } = await loadAd({ zone: "${ZONES.rewarded}", format: "rewarded", userId: "player-7" });
if (ok) await showAd("${ZONES.rewarded}");

// A native ad fits into the app's own design.
await loadAd({ zone: "${ZONES.native}", format: "native" });
showAd("${ZONES.native}", { into: card });
`;

type Asked = Exclude<Format, "banner">;
const ASKED: readonly Asked[] = ["interstitial", "video", "rewarded", "native", "audio"];
const showing = new Set<Asked>();

/** Loads an ad and shows it, unless one of its format is on its way. Resolves once it is over; false if there is none. */
async function showOne(format: Asked): Promise<boolean> {
  if (showing.has(format)) return true;
  showing.add(format);
  byId(format).setAttribute("aria-disabled", "true");
  const zone = ZONES[format];
  const { ok } = await loadAd({ zone, format });
  if (ok) await showAd(zone, format === "native" ? { into: byId("native-place") } : { skipAfter: 5 });
  byId(format).removeAttribute("aria-disabled");
  showing.delete(format);
  return ok;
}

async function run(): Promise<void> {
  const config = await readConfig();
  byId("app-name").textContent = config.name;
  byId("dashboard").setAttribute("href", `/apps/${encodeURIComponent(config.app)}/performance`);
  byId("code").textContent = codeOf(config);

  const place = byId("banner");
  const newBanner = () => void showAd(ZONES.banner, { into: place, size: "320x50" });
  void startSdk(config, count);
  newBanner();
  byId("another").addEventListener("click", () => {
    destroyAd(ZONES.banner);
    newBanner();
  });
  for (const format of ASKED) byId(format).addEventListener("click", () => void showOne(format));
  byId("get-hint").addEventListener("click", () => {
    void showOne("rewarded").then((ok) => {
      if (!ok) byId("hint").textContent = "There is no ad right now, so no hint. Try again in a moment.";
    });
  });
  byId("debugger").addEventListener("click", () => {
    void showDebugger().then((opened) => {
      if (!opened.ok) complain(`The debugger could not open: ${opened.message}`);
    });
  });
  for (const id of ["another", "get-hint", "debugger", ...ASKED]) byId(id).removeAttribute("disabled");
  // Every third level ends with a video, the others with an interstitial.
  const game = playLamps(async (finished) => void (await showOne(finished % 3 === 0 ? "video" : "interstitial")));
  addListener("rewardReceived", () => game.hint());
}

function complain(text: string): void {
  const trouble = byId("trouble");
  trouble.textContent = text;
  trouble.hidden = false;
}

run().catch((cause: unknown) =>
  complain(`The demo app could not start: ${cause instanceof Error ? cause.message : String(cause)}`),
);
byId("clock").textContent = new Date().toLocaleTimeString("en-GB", { hour: "numeric", minute: "2-digit" });
