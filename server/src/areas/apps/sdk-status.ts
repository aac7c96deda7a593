import type { AppIdentity } from "@millrace/contract";
import { DAY_MS } from "@millrace/units";

export interface SdkFacts {
  moderation: "check" | "live" | "banned";
  inDev: boolean;
  /** The newest version seen, and when; null until the first start. */
  sdkVersion: string | null;
  sdkSeenAt: Date | null;
}

type SdkStatus = Pick<AppIdentity, "sdk_status" | "sdk_status_class">;

/** After this much silence the SDK counts as removed from the app. */
const SILENT_DAYS = 30;

/** The state of the app's SDK in the list's words: first whether the app may serve, then what was seen of the SDK. */
export function sdkStatus(app: SdkFacts, latest: string, nowMs: number): SdkStatus {
  if (app.moderation === "banned") return { sdk_status: "bad", sdk_status_class: "danger" };
  if (app.moderation === "check") return { sdk_status: "check", sdk_status_class: "warning" };
  if (app.sdkVersion === null || app.sdkSeenAt === null) {
    // A published app has passed moderation and waits for its SDK to run; one in development has yet to fetch it.
    return app.inDev
      ? { sdk_status: "download", sdk_status_class: "danger" }
      : { sdk_status: "check", sdk_status_class: "success" };
  }
  if (nowMs - app.sdkSeenAt.getTime() > SILENT_DAYS * DAY_MS) return { sdk_status: "off", sdk_status_class: "danger" };
  return isOlder(app.sdkVersion, latest)
    ? { sdk_status: "update", sdk_status_class: "warning" }
    : { sdk_status: "on", sdk_status_class: "success" };
}

/** Compares versions like `1.10.0` number by number. */
export function isOlder(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split(".").map(Number));
  for (const [index, wanted] of (right ?? []).entries()) {
    const has = left?.[index] ?? 0;
    if (has !== wanted) return has < wanted;
  }
  return false;
}
