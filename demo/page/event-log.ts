/// <reference lib="dom" />
import type { SdkEvent } from "@millrace/sdk";
import { formatEarning } from "@millrace/units";
import { byId } from "./by-id.ts";

const MAX_LINES = 200;

/** Adds a line at the top of the log. */
function logLine(name: string, detail: string, tone: "" | "good" | "bad" = ""): void {
  const line = document.createElement("li");
  line.className = tone;
  const time = document.createElement("time");
  time.textContent = new Date().toLocaleTimeString("en-GB");
  const title = document.createElement("b");
  title.textContent = name;
  const text = document.createElement("span");
  text.className = "detail";
  text.textContent = detail;
  line.append(time, title, text);
  const log = byId("log");
  log.prepend(line);
  while (log.childElementCount > MAX_LINES) log.lastElementChild?.remove();
}

export function logEvent(event: SdkEvent): void {
  switch (event.type) {
    case "initialized":
      return logLine("Session", `started, latest SDK: ${event.latestSdkVersion}`);
    case "initializeFailed":
      return logLine("Error", `${event.code}: ${event.message}`, "bad");
    case "requested":
      return logLine("Request", `${event.format} for ${event.zone}`);
    case "loaded":
      return logLine("Loaded", `${event.format} by ${event.network}`);
    case "loadFailed":
      return event.code === "no_ad"
        ? logLine("No ad", `${event.zone}: ${event.message}`, "bad")
        : logLine("Error", `${event.zone}: ${event.code}, ${event.message}`, "bad");
    case "displayed":
      return logLine("Impression", `${event.format} by ${event.network}, auction ${event.auction}`, "good");
    case "displayFailed":
      return logLine("Error", `${event.zone}: ${event.code}, ${event.message}`, "bad");
    case "clicked":
      return logLine("Click", `${event.format} by ${event.network}`, "good");
    case "hidden":
      return logLine("Closed", `${event.format} in ${event.zone}`);
    case "rewardReceived":
      return logLine("Reward", `${event.reward.amount} ${event.reward.name} earned in ${event.zone}`, "good");
    case "revenuePaid":
      return logLine(
        "Revenue",
        `${formatEarning(event.priceMicros)} for a ${event.format} by ${event.network}`,
        "good",
      );
    case "delivery":
      return logLine(
        "Delivery",
        `${event.outcome}: ${new URL(event.url).pathname}`,
        event.outcome === "delivered" ? "" : "bad",
      );
    case "callbackFailed":
      return logLine("Error", `${event.code}: ${event.message}`, "bad");
  }
}
