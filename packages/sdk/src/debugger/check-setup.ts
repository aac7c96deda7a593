import type { Consent, Device } from "@millrace/contract";
import { deviceToSend } from "../core/device-to-send.ts";
import type { Line } from "./dom.ts";
import type { DebugReply } from "./read-debug-reply.ts";

/** What the page knows by itself. */
export interface SetupFacts {
  version: string;
  /** Null before the platform has named it. */
  latest: string | null;
  /** How the last start ended: the HTTP status, 0 without an answer, null if none was made since the page was loaded. */
  startStatus: number | null;
  startError: string | null;
  hasSession: boolean;
  isSwitchedOff: boolean;
  isTest: boolean;
  device: Device;
  /** `pending` while the app's consent function has not answered; `failed` if it threw. */
  consent: Consent | "pending" | "failed";
  storage: "kept" | "memory";
}

/** The set-up check: a line for each thing that must be right before an app earns. */
export function checkSetup(facts: SetupFacts, debugReply: DebugReply | null): Line[] {
  return [
    versionLine(facts, debugReply),
    appLine(facts, debugReply),
    configurationLine(facts),
    ...consentLines(facts),
    ...more(facts),
  ];
}

function versionLine({ version, latest }: SetupFacts, debugReply: DebugReply | null): Line {
  const newest = debugReply?.latest_sdk_version ?? latest;
  const name = "SDK version";
  if (newest === null || newest === "")
    return { name, state: "unknown", text: `${version}; the newest is not known yet.` };
  if (isNewer(newest, version)) return { name, state: "note", text: `${version}; ${newest} is the newest.` };
  return { name, state: "good", text: `${version}, the newest.` };
}

/** Whether `a` is a later version than `b`. */
export function isNewer(a: string, b: string): boolean {
  const [of, than] = [a, b].map((version) => version.split(".").map(Number));
  for (const [place, part] of (of ?? []).entries()) {
    const other = than?.[place] ?? 0;
    if (part !== other) return part > other;
  }
  return false;
}

function appLine(
  { startStatus, startError, hasSession, isSwitchedOff }: SetupFacts,
  debugReply: DebugReply | null,
): Line {
  const name = "App";
  if (isSwitchedOff || debugReply?.app.is_switched_off) {
    return { name, state: "bad", text: "Ads are switched off for this app. Ask the operator of the platform." };
  }
  if (debugReply && !debugReply.app.is_live) {
    return { name, state: "bad", text: `${debugReply.app.name} is not approved yet: its requests get no ads.` };
  }
  if (debugReply) return { name, state: "good", text: `${debugReply.app.name} is known and approved.` };
  if (startStatus === 404) return { name, state: "bad", text: "The platform knows no app with this key." };
  if (startStatus !== null && startStatus !== 200) {
    return { name, state: "bad", text: `The start failed: ${startError ?? "no answer"}.` };
  }
  return hasSession
    ? { name, state: "good", text: "The platform knows the app. Enter a token to see whether it is approved." }
    : { name, state: "unknown", text: "No session has started yet." };
}

const configurationLine = ({ hasSession, startStatus }: SetupFacts): Line => ({
  name: "Configuration",
  state: hasSession ? "good" : startStatus === null ? "unknown" : "bad",
  text: hasSession ? "Received; a session is running." : "Not received: without a session no ad is requested.",
});

function consentLines({ consent, device }: SetupFacts): Line[] {
  if (consent === "pending") {
    const text = "The user's choice is not known yet. Until then no session starts and no ad is requested.";
    return [{ name: "Consent", state: "note", text }];
  }
  if (consent === "failed") {
    return [{ name: "Consent", state: "bad", text: "The app's consent function failed, so nothing is requested." }];
  }
  const { gdpr, tcf, gpp, gpp_sid: sections = [], us_privacy: usPrivacy, coppa } = consent;
  const att = device.att_status;
  const sendsId = device.ifa !== undefined && deviceToSend(device, consent).ifa !== undefined;
  return [
    {
      name: "Consent: TCF",
      // Where the GDPR applies, no partner is asked without a string.
      state: gdpr === undefined ? "note" : gdpr === 1 && !tcf ? "bad" : "good",
      text:
        gdpr === undefined
          ? "No signal. From countries under the GDPR, no partner is asked without a TCF string."
          : gdpr === 0
            ? "The GDPR does not apply."
            : tcf
              ? `The GDPR applies, with the string ${short(tcf)}.`
              : "The GDPR applies, but there is no TCF string: no partner is asked.",
    },
    {
      name: "Consent: GPP",
      state: "good",
      text: gpp ? `${short(gpp)}, sections ${sections.join(", ") || "none"}.` : "No signal.",
    },
    { name: "Consent: US Privacy", state: "good", text: usPrivacy ? `${usPrivacy}.` : "No signal." },
    { name: "COPPA", state: "good", text: coppa === 1 ? "The user is a child." : "Not a child, as far as is told." },
    {
      name: "Advertising id",
      state: "good",
      text: `${device.lmt === 1 ? "Tracking is limited (LMT). " : ""}${att === undefined ? "" : `Tracking status (ATT): ${att}. `}${
        device.ifa === undefined ? "The app gives none." : sendsId ? "Sent." : "Stays on the device."
      }`,
    },
  ];
}

const more = ({ isTest, storage }: SetupFacts): Line[] => [
  {
    name: "Test mode",
    state: isTest ? "note" : "good",
    text: isTest
      ? "On: ads are neither counted nor paid. Switch it off before release."
      : "Off: ads are counted and paid.",
  },
  {
    name: "Storage",
    state: storage === "kept" ? "good" : "note",
    text:
      storage === "kept"
        ? "Usable: beacons survive a reload."
        : "Not usable: everything is kept in memory, and beacons that wait are lost with the page.",
  },
];

const short = (text: string) => (text.length > 24 ? `${text.slice(0, 24)}… (${text.length} characters)` : text);

/** What is known of the developer site's app-ads.txt. */
export function appAdsLine(debugReply: DebugReply | null): Line {
  const name = "app-ads.txt";
  const linesByState = {
    found: { state: "good", text: "The developer's site has all lines." },
    missing: {
      state: "bad",
      text: "Lines are missing on the developer's site: buyers may not bid. See app-ads.txt in the dashboard.",
    },
    no_site: { state: "bad", text: "No developer site is set. See app-ads.txt in the dashboard." },
    checking: { state: "unknown", text: "The developer's site is being read; refresh in a moment." },
  } as const satisfies Record<DebugReply["app_ads"], Omit<Line, "name">>;
  if (!debugReply) return { name, state: "unknown", text: "Enter a token to see it." };
  return {
    name,
    ...(Object.hasOwn(linesByState, debugReply.app_ads)
      ? linesByState[debugReply.app_ads]
      : { state: "unknown", text: "This SDK is too old to say." }),
  };
}
