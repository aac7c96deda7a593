import { PLATFORM_LABELS, PLATFORMS, type Platform } from "@millrace/contract";
import {
  media3Player,
  openrtbCall,
  prebidSetup,
  rokuPlayer,
  type SnippetFacts,
  tvosPlayer,
  vastTag,
  webSdk,
} from "./snippets.ts";

/** A piece of instructions: a sentence, and code to copy. */
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

/** The instructions of every platform, and of direct OpenRTB requests. `bidders` are the app's partners. */
export function instructionParts(facts: SnippetFacts, platform: Platform, bidders: readonly string[]): Part[] {
  return [
    ...PLATFORMS.map((id) => ({ id, label: PLATFORM_LABELS[id], steps: STEPS[id](facts) })),
    { id: "openrtb", label: "OpenRTB", steps: openrtbSteps(facts, platform) },
    { id: "prebid", label: "Prebid", steps: prebidSteps(facts, bidders) },
  ];
}

const STEPS = {
  android: (facts) => [
    noNativeSdk("Android"),
    web(facts, "android", "A WebView shows it with setJavaScriptEnabled(true) and setDomStorageEnabled(true)."),
    player(facts, "ExoPlayer plays the tag's ads around your videos.", media3Player(facts)),
  ],
  ios: (facts) => [
    noNativeSdk("iOS"),
    web(facts, "ios", "A WKWebView shows it as it is."),
    player(facts, "Any player with a VAST library asks this address."),
  ],
  amazon: (facts) => [
    noNativeSdk("Fire tablets"),
    web(facts, "amazon", "A WebView shows it with setJavaScriptEnabled(true) and setDomStorageEnabled(true)."),
    player(facts, "ExoPlayer plays the tag's ads around your videos.", media3Player(facts)),
  ],
  androidtv: (facts) => [
    noNativeSdk("Android TV"),
    player(facts, "ExoPlayer plays the tag's ads around your videos.", media3Player(facts)),
  ],
  firetv: (facts) => [
    noNativeSdk("Fire TV"),
    player(facts, "ExoPlayer plays the tag's ads around your videos.", media3Player(facts)),
  ],
  tvos: (facts) => [
    noNativeSdk("tvOS"),
    player(facts, "tvOS itself reads no VAST: a library for interactive media ads does.", tvosPlayer(facts)),
  ],
  roku: (facts) => [
    noNativeSdk("Roku"),
    player(facts, "The Roku Advertising Framework, which every channel has, plays the tag's ads.", rokuPlayer(facts)),
  ],
  tizentv: (facts) => [
    {
      title: "The SDK",
      text: `Tizen apps are web pages, so the web SDK runs in them. Let config.xml allow its address: <access origin="${facts.publicUrl}" subdomains="false"/>`,
      code: webSdk(facts, "tizentv"),
    },
    player(facts, "The web SDK shows no video ads yet; a player with a VAST library asks this address."),
  ],
  others: (facts) => [
    web(facts, "others", "On a web site, or wherever a page is shown."),
    player(facts, "Any player with a VAST library asks this address."),
  ],
} as const satisfies Record<Platform, (facts: SnippetFacts) => Step[]>;

const noNativeSdk = (system: string): Step => ({
  title: "What there is",
  text: `There is no native SDK for ${system} yet. What works today is below; a server of yours can also ask by OpenRTB.`,
});

const web = (facts: SnippetFacts, platform: Platform, text: string): Step => ({
  title: "The web SDK",
  text: `${text} It shows banners and interstitials, counts sessions, and tells the app's SDK status.`,
  code: webSdk(facts, platform),
});

const player = (facts: SnippetFacts, text: string, code?: string): Step => ({
  title: "Video ads by a VAST tag",
  text: `${text} Name each place by a zone of your own. Add &ifa= with the device's advertising id, &lmt=1 where its use is limited, and gdpr, tcf, us_privacy or coppa where they apply.`,
  code: code ?? vastTag(facts),
});

function openrtbSteps(facts: SnippetFacts, platform: Platform): Step[] {
  return [
    {
      title: "Ask from a server",
      text: "Send an OpenRTB 2.6 request with the device's own address, user agent and advertising id; the answer is a bid response. Fire its nurl and burl as the standard says.",
      code: openrtbCall(facts, platform),
    },
  ];
}

function prebidSteps(facts: SnippetFacts, bidders: readonly string[]): Step[] {
  const text =
    "Prebid.js asks Millrace through its server adapter (module prebidServerBidAdapter). The bidders are your partners by their ids.";
  if (bidders.length > 0) return [{ title: "Prebid.js", text, code: prebidSetup(facts, bidders) }];
  return [
    {
      title: "Prebid.js",
      text: `${text} This app has no partner yet: enter a partner's keys, and its id stands here.`,
    },
  ];
}
