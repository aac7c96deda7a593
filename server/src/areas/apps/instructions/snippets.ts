import { type Platform, SDK_VERSION } from "@millrace/contract";

/** Data for a snippet: the app's key and the platform's origin. */
export interface SnippetFacts {
  /** The app's uuid. */
  key: string;
  /** Without a trailing slash. */
  publicUrl: string;
}

/** A web page, or a page in a web view, with the SDK: a banner, and a function that shows a full screen. */
export const webSdk = ({ key, publicUrl }: SnippetFacts, platform: Platform) => `<div id="banner"></div>
<script src="${publicUrl}/sdk/millrace.js"></script>
<script>
  Millrace.initialize({
    app: ${quoted(key)},
    platform: ${quoted(platform)},
    endpoint: ${quoted(publicUrl)},
  });
  // The banner loads its ads itself, and refreshes them.
  Millrace.showAd("home", { into: document.querySelector("#banner"), size: "320x50" });
  // Load a full-screen ad before you need it, and show it between two levels or pages.
  Millrace.loadAd({ zone: "level_end", format: "interstitial" });
  function showFullScreenAd() {
    if (Millrace.isAdReady("level_end")) Millrace.showAd("level_end");
  }
</script>`;

/** What a native app sends: a session, a request with the session's token, and the impression of the ad that it shows. */
export const protocolCalls = ({ key }: SnippetFacts, platform: Platform) => {
  const device = { os: DEVICES[platform].os };
  return {
    init: { app: key, platform, sdk_version: SDK_VERSION, install_id: INSTALL_ID, device },
    ad: { session: "SESSION", zone: "home", format: "banner", w: 320, h: 50, device },
  };
};

/** A random id that the app makes up at its first start and keeps. */
const INSTALL_ID = "9b2f6c1e-58a4-4d37-8c0b-d1e2f3a4b5c6";

export function protocolSteps(facts: SnippetFacts, platform: Platform): string {
  const { init, ad } = protocolCalls(facts, platform);
  const post = (path: string, body: object) => `curl ${facts.publicUrl}${path} \\
  --header 'content-type: application/json' \\
  --data '${JSON.stringify(body)}'`;
  return `# 1. At the start of the app: the reply has the session. Make install_id up once, and keep it.
${post("/sdk/v1/init", init)}

# 2. For each ad: the reply has ads, best first, with their markup and beacons.
${post("/sdk/v1/ad", ad)}

# 3. When an ad starts to show, and when it is clicked:
curl "$ADDRESS_IN_BEACONS_IMPRESSION"
curl "$ADDRESS_IN_BEACONS_CLICK"`;
}

/** The address from which a player requests a video ad. */
export function vastTag({ key, publicUrl }: SnippetFacts): string {
  const query = new URLSearchParams({ app: key, zone: "preroll", format: "video", w: "1920", h: "1080", max: "30" });
  return `${publicUrl}/vast?${query.toString()}`;
}

export const rokuPlayer = (facts: SnippetFacts) => `Library "Roku_Ads.brs"

function PlayAds() as boolean
  ads = Roku_Ads()
  ads.setAdUrl(${quoted(vastTag(facts))})
  pods = ads.getAds()
  if pods = invalid or pods.count() = 0 then return true
  return ads.showAds(pods)
end function`;

/** Android's own player, with its module for interactive media ads. */
export const media3Player = (facts: SnippetFacts) => `// media3-exoplayer and media3-exoplayer-ima
val adsLoader = ImaAdsLoader.Builder(context).build()
val player = ExoPlayer.Builder(context)
  .setMediaSourceFactory(
    DefaultMediaSourceFactory(context).setLocalAdInsertionComponents({ adsLoader }, playerView)
  )
  .build()
adsLoader.setPlayer(player)
val tag = Uri.parse(${quoted(vastTag(facts))})
player.setMediaItem(
  MediaItem.Builder()
    .setUri(contentUri)
    .setAdsConfiguration(MediaItem.AdsConfiguration.Builder(tag).build())
    .build()
)
player.prepare()`;

/** Apple's player with a library for interactive media ads: tvOS itself reads no VAST. */
export const tvosPlayer = (facts: SnippetFacts) => `// GoogleInteractiveMediaAds for tvOS
let request = IMAAdsRequest(
  adTagUrl: ${quoted(vastTag(facts))},
  adDisplayContainer: adDisplayContainer,
  contentPlayhead: contentPlayhead,
  userContext: nil)
adsLoader.requestAds(with: request)`;

const DEVICES = {
  android: { os: "android", osv: "15", devicetype: 4 },
  amazon: { os: "android", osv: "11", make: "Amazon", devicetype: 5 },
  ios: { os: "ios", osv: "18.0", make: "Apple", devicetype: 4 },
  androidtv: { os: "android", osv: "14", devicetype: 3 },
  firetv: { os: "android", osv: "11", make: "Amazon", devicetype: 3 },
  tvos: { os: "tvos", osv: "18.0", make: "Apple", devicetype: 7 },
  tizentv: { os: "tizen", osv: "8.0", make: "Samsung", devicetype: 3 },
  roku: { os: "roku", osv: "14.0", make: "Roku", devicetype: 7 },
  others: { os: "linux", devicetype: 2 },
} as const satisfies Record<Platform, { os: string; osv?: string; make?: string; devicetype: number }>;

/** A bid request from the publisher's own server (OpenRTB 2.6). */
export function openrtbRequest({ key }: SnippetFacts, platform: Platform): string {
  return JSON.stringify(
    {
      id: "1",
      imp: [{ id: "1", tagid: "home", secure: 1, banner: { format: [{ w: 320, h: 50 }] } }],
      app: { id: key },
      device: {
        ...DEVICES[platform],
        ua: "the user agent of the device",
        ip: "203.0.113.7",
        ifa: "00000000-0000-0000-0000-000000000000",
      },
      at: 1,
      cur: ["USD"],
      tmax: 300,
    },
    null,
    2,
  );
}

export const openrtbCall = (facts: SnippetFacts, platform: Platform) => `curl ${facts.publicUrl}/openrtb2/auction \\
  --header 'content-type: application/json' \\
  --data '${openrtbRequest(facts, platform)}'`;

/** Prebid.js with its server adapter. `bidders` are ids of partners. */
export const prebidSetup = ({ key, publicUrl }: SnippetFacts, bidders: readonly string[]) => `<div id="home"></div>
<script src="prebid.js"></script>
<script>
  var pbjs = window.pbjs || {};
  pbjs.que = pbjs.que || [];
  pbjs.que.push(function () {
    pbjs.setConfig({
      ortb2: { app: { id: ${quoted(key)} } },
      s2sConfig: {
        accountId: ${quoted(key)},
        enabled: true,
        adapter: "prebidServer",
        bidders: ${JSON.stringify(bidders)},
        timeout: 400,
        endpoint: ${quoted(`${publicUrl}/openrtb2/auction`)},
      },
    });
    pbjs.requestBids({
      timeout: 3000,
      adUnits: [
        {
          code: "home",
          mediaTypes: { banner: { sizes: [[320, 50]] } },
          ortb2Imp: { tagid: "home" },
          bids: ${JSON.stringify(bidders.map((bidder) => ({ bidder, params: {} })))},
        },
      ],
      bidsBackHandler: function () {
        var bid = pbjs.getHighestCpmBids("home")[0];
        if (!bid) return;
        var frame = document.createElement("iframe");
        frame.width = bid.width;
        frame.height = bid.height;
        document.getElementById("home").append(frame);
        pbjs.renderAd(frame.contentDocument, bid.adId);
      },
    });
  });
</script>`;

/** Prebid's SDK from version 3, in Kotlin. */
export const prebidAndroid = ({
  key,
  publicUrl,
}: SnippetFacts) => `PrebidMobile.setPrebidServerAccountId(${quoted(key)})
PrebidMobile.initializeSdk(applicationContext, ${quoted(`${publicUrl}/openrtb2/auction`)}) { }
val home = BannerAdUnit("home", 320, 50)`;

/** Prebid's SDK from version 3, in Swift. */
export const prebidIos = ({ key, publicUrl }: SnippetFacts) => `Prebid.shared.prebidServerAccountId = ${quoted(key)}
try Prebid.initializeSDK(serverURL: ${quoted(`${publicUrl}/openrtb2/auction`)})
let home = BannerAdUnit(configId: "home", size: CGSize(width: 320, height: 50))`;

const quoted = (text: string) => JSON.stringify(text);
