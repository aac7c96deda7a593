/// <reference lib="dom" />
import { initialize, type SdkEvent } from "@millrace/sdk";
import type { DemoConfig } from "./demo-config.ts";

/** The demo app that the pages show ads for. Throws if the platform runs no demo. */
export async function readConfig(): Promise<DemoConfig> {
  const reply = await fetch("/demo/config.json", { headers: { accept: "application/json" } });
  if (!reply.ok) throw new Error(`/demo/config.json answered ${reply.status}`);
  return (await reply.json()) as DemoConfig;
}

/** Starts the SDK as in a phone's app. */
export function startSdk(config: DemoConfig, onEvent: (event: SdkEvent) => void): Promise<unknown> {
  return initialize({
    app: config.app,
    platform: "android",
    endpoint: location.origin,
    // Poses as a phone that allows tracking, because a browser has no advertising id.
    device: { os: "android", osv: "15", make: "Google", model: "Pixel 9", ifa: advertisingId(), lmt: 0 },
    // The pages' Content-Security-Policy is too strict for ads, so they run in the SDK's frame page.
    frameUrl: "/sdk/frame.html",
    logLevel: "none",
    onEvent,
  });
}

function advertisingId(): string {
  const kept = sessionStorage.getItem("demo-ifa") ?? crypto.randomUUID();
  sessionStorage.setItem("demo-ifa", kept);
  return kept;
}
