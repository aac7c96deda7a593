/// <reference lib="dom" />
import type { SdkEvent } from "@millrace/sdk";
import { byId } from "./by-id.ts";

const MAX_LINES = 200;

/** Adds a line at the top of the log. */
export function logLine(name: string, detail: string, tone: "" | "good" | "bad" = ""): void {
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
    case "session":
      return logLine("Session", `started, latest SDK: ${event.latestSdkVersion}`);
    case "request":
      return logLine("Request", `${event.format} for ${event.zone}`);
    case "no_ad":
      return logLine("No ad", `${event.zone}: ${event.reason}`, "bad");
    case "impression":
      return logLine("Impression", `${event.ad.format} by ${event.ad.provider}, auction ${event.auction}`, "good");
    case "click":
      return logLine("Click", `${event.ad.format} by ${event.ad.provider}`, "good");
    case "delivery":
      return logLine(
        "Delivery",
        `${event.outcome}: ${new URL(event.url).pathname}`,
        event.outcome === "delivered" ? "" : "bad",
      );
  }
}
