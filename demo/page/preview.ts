/// <reference lib="dom" />
import { FORMATS, type Format } from "@millrace/contract";
import { loadAd, showAd } from "@millrace/sdk";
import { byId } from "./by-id.ts";
import { ZONES } from "./demo-config.ts";
import { readConfig, startSdk } from "./start-sdk.ts";

// One format in one small app, for the landing page, which names the format behind the `#`.

/** Ads that the app gives a place; all others cover it. */
const PLACED: readonly Format[] = ["banner", "native"];

const say = (text: string) => {
  byId("status").textContent = text;
};

/** How often an auction is held before the page says that nobody bought. */
const TRIES = 3;

async function load(zone: string, format: Format): Promise<boolean> {
  for (let tried = 0; tried < TRIES; tried++) {
    if ((await loadAd({ zone, format })).ok) return true;
    say("Nobody bought this one. The next auction runs …");
  }
  return false;
}

/** Loads an ad and shows it. Resolves once it is over, or at once for one that stays in its place, to whether one was shown. */
async function show(format: Format): Promise<boolean> {
  const zone = ZONES[format];
  const isPlaced = PLACED.includes(format);
  // A banner loads its ads itself, and asks again while it has none.
  if (format !== "banner" && !(await load(zone, format))) {
    say("Nobody bought. That happens: try again.");
    return false;
  }
  // It is heard and not seen.
  if (format === "audio") say("Playing …");
  const shown = await showAd(zone, isPlaced ? { into: byId(format), size: "320x50" } : { skipAfter: 5 });
  if (!shown.ok) say("This ad could not be shown. Try again.");
  else say(isPlaced ? "Sold in an auction a moment ago." : "The ad is over, and its impression counted.");
  return shown.ok;
}

async function run(): Promise<void> {
  const format = FORMATS.find((each) => `#${each}` === location.hash);
  if (!format) throw new Error("the address names no format");
  void startSdk(await readConfig(), () => undefined);
  const again = byId("again");
  const showOne = async () => {
    again.hidden = true;
    say("The auction runs …");
    const isShown = await show(format);
    // A banner replaces itself.
    again.hidden = isShown && format === "banner";
  };
  again.addEventListener("click", () => void showOne());
  await showOne();
}

run().catch((cause: unknown) => {
  say(`The preview could not start: ${cause instanceof Error ? cause.message : String(cause)}`);
});
