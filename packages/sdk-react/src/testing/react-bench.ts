import type { Ad, Consent } from "@millrace/contract";
import { createSdk, fetchTransport, memoryStorage, type PreparedAd, systemClock } from "@millrace/sdk/core";
import type { InlinePlace, LoadRequest, ShowOutcome } from "@millrace/sdk";
import { nativeAd } from "@millrace/sdk/native-ad";
import { orderSteps } from "@millrace/sdk/steps";
import { ad, adReply, APP, initReply } from "@millrace/sdk/testing/protocol-replies";
import { protocolServer, type Received } from "@millrace/sdk/testing/protocol-server";
import { reactAds } from "../react-ads.ts";

type Place = Partial<InlinePlace>;

const NATIVE = JSON.stringify({
  link: { url: "https://shop.example/" },
  assets: [{ id: 1, title: { text: "Tide tables" } }],
});

/** The components on the SDK's core with a real server. Ads are lines of text in their place, or in the page. */
export async function reactBench() {
  const state = {
    /** The providers whose ads the next answers have. */
    providers: ["alpha"],
    prepared: [] as string[],
    destroyed: [] as string[],
    /** Answers to ad requests wait for it. */
    gate: Promise.resolve(),
    /** The user's choice. */
    consent: Promise.resolve<Consent>({}),
    /** Closes the full-screen ad that is shown; a rewarded one has given its reward before. */
    close: () => {},
  };
  const answer = async ({ path, body }: Received) => {
    if (path === "/sdk/v1/init") return { json: initReply() };
    if (path !== "/sdk/v1/ad") return { status: 204 };
    await state.gate;
    const { format } = body as { format: "banner" | "native" };
    const markup: Ad["markup"] =
      format === "native" ? { type: "native", content: NATIVE } : { type: "html", content: "ad" };
    const ads = state.providers.map((name) =>
      ad(server.endpoint, name, { format, markup, reward: { name: "coins", amount: 5 } }),
    );
    return { json: adReply(ads) };
  };
  const server = await protocolServer(answer);

  const sdk = createSdk<Place>(
    { clock: systemClock, storage: memoryStorage(), transport: fetchTransport(fetch), random: Math.random },
    () => async (ad, format, budget) => {
      state.prepared.push(ad.provider);
      if (ad.markup.type === "native") return nativeAd(ad, { format, budget });
      return textAd(ad.provider, state);
    },
    () => {},
    async () => ({ orderSteps }),
  );
  /** As that of the web SDK, with one ad in the place of a banner. */
  async function showAd(zone: string, place: Place = {}): Promise<ShowOutcome> {
    const loaded = place.size === undefined ? null : await sdk.loadAd({ zone, format: "banner" });
    if (loaded?.ok === false) return loaded;
    const shown = await sdk.showAd(zone, place);
    if (!shown.ok) return shown;
    return { ok: true, ...shown.info, rewarded: place.into === undefined && (await shown.hidden) };
  }
  const loadAd = ({ zone, format, userId = "" }: LoadRequest) => sdk.loadAd({ zone, format, userId });
  const initialize = () =>
    sdk.initialize({
      app: APP,
      platform: "others",
      endpoint: server.endpoint,
      device: { os: "linux" },
      consent: () => state.consent,
    });

  return Object.assign(state, {
    ...reactAds({ ...sdk, loadAd, showAd }),
    initialize,
    /** The zones that the server was asked for. */
    asked: () => server.of("/sdk/v1/ad").map(({ body }) => (body as { zone: string }).zone),
    requests: () => server.of("/sdk/v1/ad").map(({ body }) => body),
    beacons: () => server.of("/b/").map(({ path }) => path),
    async stop() {
      sdk.shutdown();
      await server.close();
    },
  });
}

function textAd(provider: string, state: { close: () => void; destroyed: string[] }): PreparedAd<Place> {
  const text = document.createElement("p");
  text.textContent = `ad of ${provider}`;
  return {
    async show({ into = document.body }, on) {
      into.append(text);
      state.close = () => {
        on.rewarded();
        on.hidden();
      };
      return true;
    },
    destroy() {
      state.destroyed.push(provider);
      text.remove();
    },
  };
}
