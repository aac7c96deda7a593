import { PLATFORM_LABELS, PLATFORMS, type Platform } from "@millrace/contract";
import { capacitorSnippet } from "@millrace/capacitor/snippet";
import { reactSnippet } from "@millrace/react/snippet";
import { reactNativeSnippet } from "@millrace/react-native/snippet";
import { rokuSnippet } from "@millrace/sdk-roku/snippet";
import {
  media3Player,
  openrtbCall,
  prebidAndroid,
  prebidIos,
  prebidSetup,
  protocolSteps,
  rokuPlayer,
  type SnippetFacts,
  tvosPlayer,
  vastTag,
  webSdk,
} from "./snippets.ts";

/** One step of the instructions: text with code in backticks and links as in Markdown, and code to copy. */
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
    text: "The first version. Banners, interstitials with MRAID, video, rewarded video, native and audio ads in browsers and web views; sessions; beacons that are stored and sent again after a restart; consent; revenue per impression; rewards; a debugger that shows the set-up, the last auctions and test ads in the app. Packages for React, React Native and Capacitor; an SDK for Roku.",
  },
];

/** The instructions of every platform, and of direct OpenRTB requests. `bidders` are the app's partners. */
export function instructionParts(facts: SnippetFacts, platform: Platform, bidders: readonly string[]): Part[] {
  return [
    ...PLATFORMS.map((id) => ({ id, label: PLATFORM_LABELS[id], steps: STEPS[id](facts) })),
    { id: "openrtb", label: "OpenRTB", steps: openrtbSteps(facts, platform) },
    { id: "prebid", label: "Prebid", steps: [...prebidSteps(facts, bidders), ...prebidAppSteps(facts)] },
    { id: VERSIONS_PART, label: "SDK versions", steps: VERSIONS },
  ];
}

const EXOPLAYER = "ExoPlayer plays the ads of the tag before, during and after your videos.";
const WEB_VIEW = "In a WebView, call `setJavaScriptEnabled(true)` and `setDomStorageEnabled(true)`.";

/** By platform, what works today, the shortest way first. */
const STEPS = {
  android: (facts) => [
    web(facts, "android", WEB_VIEW),
    ...frameworks(facts),
    protocol(facts, "android"),
    player(facts, EXOPLAYER, media3Player(facts)),
  ],
  ios: (facts) => [
    web(facts, "ios", "It works in a WKWebView without further setup."),
    ...frameworks(facts),
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
    roku(facts),
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
      text: `Tizen apps are web pages, so the web SDK runs in them. Allow its address in config.xml: \`<access origin="${facts.publicUrl}" subdomains="false"/>\``,
      code: webSdk(facts, "tizentv"),
    },
    player(
      facts,
      "The web SDK plays video ads over your page. For ads inside your own player, give this address to its VAST library.",
    ),
  ],
  others: (facts) => [
    web(facts, "others", "Works on web sites and in any web view."),
    react(facts),
    player(facts, "Give this address to any player with a VAST library."),
  ],
} as const satisfies Record<Platform, (facts: SnippetFacts) => Step[]>;

/** Packages that the platform serves for apps written in web technology. */
const frameworks = (facts: SnippetFacts): Step[] => [
  {
    title: "React Native",
    text: `Install the package from this platform: \`npm install ${facts.publicUrl}/sdk/react-native.tgz\`. You pass it the modules of your app; it has no native code to link. \`useRewarded\`, \`useNative\`, consent, and a mock for your tests are in the package's README.`,
    code: reactNativeSnippet(facts),
  },
  {
    title: "Capacitor",
    text: `Install the plugin from this platform: \`npm install ${facts.publicUrl}/sdk/capacitor.tgz\`. It runs the web SDK in your app's page, and has no native code to sync.`,
    code: capacitorSnippet(facts),
  },
];

const react = (facts: SnippetFacts): Step => ({
  title: "React",
  text: `Install the package from this platform: \`npm install ${facts.publicUrl}/sdk/react.tgz\`. Each component loads its ad once, and gives it up when it is unmounted; \`useRewarded\` and \`useNative\` are in the package's README.`,
  code: reactSnippet(facts),
});

const roku = (facts: SnippetFacts): Step => ({
  title: "The Roku SDK",
  text: `Download \`${facts.publicUrl}/sdk/roku.zip\`, and unpack it in your channel's folder: everything is in \`components/millrace\`. It plays video ads by VAST and shows image ads, counts sessions, and reports the app's SDK status. It is tested in an interpreter and has not run on a device yet. The help at /help/start/roku has its functions.`,
  code: rokuSnippet(facts),
});

/** No library for native code can be installed yet, and the page says so. */
const protocol = (facts: SnippetFacts, platform: Platform): Step => ({
  title: "Native code, by the HTTP protocol",
  text: `${threeCalls(platform)}: they count sessions, bring ads of every format, and report the app's SDK status. HTML goes into a web view, VAST to a player, and native ads are JSON for your own views. [The exchange's calls](/help/api/exchange) have more fields, such as the advertising id and consent.`,
  code: protocolSteps(facts, platform),
});

function threeCalls(platform: Platform): string {
  if (platform === "roku") return "Without the SDK, three calls do the same";
  const sentence =
    platform === "android"
      ? "The Kotlin SDK exists as source code in this platform's repository (sdks/kotlin), and is not distributed as a library yet."
      : `There is no native SDK for ${PLATFORM_LABELS[platform]} yet.`;
  return `${sentence} Three calls do the same`;
}

const web = (facts: SnippetFacts, platform: Platform, text: string): Step => ({
  title: "The web SDK",
  text: `${text} It shows ads of all formats, counts sessions, and reports the app's SDK status.`,
  code: webSdk(facts, platform),
});

const player = (facts: SnippetFacts, text: string, code?: string): Step => ({
  title: "Video ads by a VAST tag",
  text: `${text} Choose a zone name for each placement. Add \`&ifa=\` with the device's advertising id, \`&lmt=1\` if tracking is limited, and \`gdpr\`, \`tcf\`, \`us_privacy\`, \`gpp\` with \`gpp_sid\`, or \`coppa\` where they apply.`,
  code: code ?? vastTag(facts),
});

function openrtbSteps(facts: SnippetFacts, platform: Platform): Step[] {
  return [
    {
      title: "Request from a server",
      text: "Send an OpenRTB 2.6 request with the device's own address, user agent and advertising id. The reply is a bid response, whose markup counts the impression; call its `lurl` if the ad will not be shown.",
      code: openrtbCall(facts, platform),
    },
  ];
}

function prebidSteps(facts: SnippetFacts, bidders: readonly string[]): Step[] {
  const text =
    "Prebid.js calls Millrace through its server adapter (module `prebidServerBidAdapter`). The bidders are the ids of your partners.";
  if (bidders.length > 0) return [{ title: "Prebid.js", text, code: prebidSetup(facts, bidders) }];
  return [
    {
      title: "Prebid.js",
      text: `${text} This app has no partner yet: add a partner's keys to see its id here.`,
    },
  ];
}

/** Prebid's SDK for apps names what a Prebid Server would have stored: the app by its account, the zone by a config ID. */
const prebidAppSteps = (facts: SnippetFacts): Step[] => [
  {
    title: "Prebid's SDK for Android",
    text: "The app's key is the account ID, and a zone's id is the config ID of an ad unit: an existing one, or a new one of your choice. The app's own partners, floors and campaigns apply.",
    code: prebidAndroid(facts),
  },
  { title: "Prebid's SDK for iOS", text: "The same in Swift.", code: prebidIos(facts) },
];
