import { PLATFORM_LABELS, PLATFORMS, type Platform } from "@millrace/contract";
import {
  media3Player,
  openrtbCall,
  prebidSetup,
  protocolSteps,
  rokuPlayer,
  type SnippetFacts,
  tvosPlayer,
  vastTag,
  webSdk,
} from "./snippets.ts";

/** One step of the instructions: text, and code to copy. */
export interface Step {
  title: string;
  text: string;
  code?: string;
}

export interface Part {
  /** The part of the address after `#`. */
  id: string;
  label: string;
  steps: Step[];
}

/** The part that tells what has changed in the SDK. */
export const VERSIONS_PART = "versions";

/** The SDK's versions, newest first. */
const VERSIONS: Step[] = [
  {
    title: "1.0.0",
    text: "The first version. Banners and interstitials in web views and browsers; sessions; beacons that are stored and sent again after a restart; consent strings; revenue per impression.",
  },
];

/** The instructions of every platform, and of direct OpenRTB requests. `bidders` are the app's partners. */
export function instructionParts(facts: SnippetFacts, platform: Platform, bidders: readonly string[]): Part[] {
  return [
    ...PLATFORMS.map((id) => ({ id, label: PLATFORM_LABELS[id], steps: STEPS[id](facts) })),
    { id: "openrtb", label: "OpenRTB", steps: openrtbSteps(facts, platform) },
    { id: "prebid", label: "Prebid", steps: prebidSteps(facts, bidders) },
    { id: VERSIONS_PART, label: "SDK versions", steps: VERSIONS },
  ];
}

const EXOPLAYER = "ExoPlayer plays the ads of the tag before, during and after your videos.";
const WEB_VIEW = "In a WebView, call setJavaScriptEnabled(true) and setDomStorageEnabled(true).";

/** By platform, what works today, the shortest way first. */
const STEPS = {
  android: (facts) => [
    web(facts, "android", WEB_VIEW),
    protocol(facts, "android"),
    player(facts, EXOPLAYER, media3Player(facts)),
  ],
  ios: (facts) => [
    web(facts, "ios", "It works in a WKWebView without further setup."),
    protocol(facts, "ios"),
    player(facts, "Give this address to any player with a VAST library."),
  ],
  amazon: (facts) => [
    web(facts, "amazon", WEB_VIEW),
    protocol(facts, "amazon"),
    player(facts, EXOPLAYER, media3Player(facts)),
  ],
  androidtv: (facts) => [player(facts, EXOPLAYER, media3Player(facts)), protocol(facts, "androidtv")],
  firetv: (facts) => [player(facts, EXOPLAYER, media3Player(facts)), protocol(facts, "firetv")],
  tvos: (facts) => [
    player(facts, "tvOS does not read VAST itself: use a library for interactive media ads.", tvosPlayer(facts)),
    protocol(facts, "tvos"),
  ],
  roku: (facts) => [
    player(
      facts,
      "The Roku Advertising Framework, available to every channel, plays the ads of the tag.",
      rokuPlayer(facts),
    ),
    protocol(facts, "roku"),
  ],
  tizentv: (facts) => [
    {
      title: "The web SDK",
      text: `Tizen apps are web pages, so the web SDK runs in them. Allow its address in config.xml: <access origin="${facts.publicUrl}" subdomains="false"/>`,
      code: webSdk(facts, "tizentv"),
    },
    player(facts, "The web SDK does not show video ads yet. Give this address to a player with a VAST library."),
  ],
  others: (facts) => [
    web(facts, "others", "Works on web sites and in any web view."),
    player(facts, "Give this address to any player with a VAST library."),
  ],
} as const satisfies Record<Platform, (facts: SnippetFacts) => Step[]>;

/** There is no library for native code, and the page says so. */
const protocol = (facts: SnippetFacts, platform: Platform): Step => ({
  title: "Native code, by the HTTP protocol",
  text: `There is no native SDK for ${PLATFORM_LABELS[platform]} yet. Three calls do the same: they count sessions, bring ads of every format, and report the app's SDK status. HTML goes into a web view, VAST to a player, and native ads are JSON for your own views. The documentation at /docs has every field, such as the advertising id and consent.`,
  code: protocolSteps(facts, platform),
});

const web = (facts: SnippetFacts, platform: Platform, text: string): Step => ({
  title: "The web SDK",
  text: `${text} It shows banners and interstitials, counts sessions, and reports the app's SDK status.`,
  code: webSdk(facts, platform),
});

const player = (facts: SnippetFacts, text: string, code?: string): Step => ({
  title: "Video ads by a VAST tag",
  text: `${text} Choose a zone name for each placement. Add &ifa= with the device's advertising id, &lmt=1 if tracking is limited, and gdpr, tcf, us_privacy, gpp with gpp_sid, or coppa where they apply.`,
  code: code ?? vastTag(facts),
});

function openrtbSteps(facts: SnippetFacts, platform: Platform): Step[] {
  return [
    {
      title: "Request from a server",
      text: "Send an OpenRTB 2.6 request with the device's own address, user agent and advertising id. The reply is a bid response; call its nurl and burl as the standard requires.",
      code: openrtbCall(facts, platform),
    },
  ];
}

function prebidSteps(facts: SnippetFacts, bidders: readonly string[]): Step[] {
  const text =
    "Prebid.js calls Millrace through its server adapter (module prebidServerBidAdapter). The bidders are the ids of your partners.";
  if (bidders.length > 0) return [{ title: "Prebid.js", text, code: prebidSetup(facts, bidders) }];
  return [
    {
      title: "Prebid.js",
      text: `${text} This app has no partner yet: add a partner's keys to see its id here.`,
    },
  ];
}
