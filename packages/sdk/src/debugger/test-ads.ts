import type { Format } from "@millrace/contract";
import { memoryStorage, randomId, type Sdk, type SdkEvent } from "../core/index.ts";
import type { Place } from "../web/place.ts";
import type { DebuggedSdk } from "./debugged-sdk.ts";
import { endpointOf, sessionOf } from "./page-facts.ts";
import { previewTransport, redirectedTransport, type Source } from "./redirected-transport.ts";

/** The debugger's test ads: its own, and those that the app's requests get while they are redirected. */
export interface TestAds {
  /** Shows one test ad; a banner or native ad in `into`. Resolves to what became of it. */
  show(format: Format, into: HTMLElement): Promise<string>;
  /** Where the debugger's own test ads come from. */
  source: Source;
  /** Whether the app's own requests get test ads too. */
  isRedirecting: boolean;
  /** Gives the app's requests back, and removes the debugger's own ads. */
  end(): void;
}

const ZONE = "debugger";

/** Redirects the page's SDK, which keeps running: `tell` hears what becomes of the debugger's own ads. */
export function testAds(of: DebuggedSdk, tell: (text: string) => void): TestAds {
  const { host, options, create } = of;
  const endpoint = endpointOf(of);
  const send = host.transport;
  const newId = () => randomId(host.random);
  const session = () => sessionOf(of);
  const state: TestAds = { source: { kind: "fake" }, isRedirecting: false, show, end };
  host.transport = redirectedTransport(send, endpoint, () => (state.isRedirecting ? state.source : null), newId);

  let preview: Sdk<Place> | null = null;
  function previewSdk(): Sdk<Place> {
    const made = create({
      ...host,
      // Nothing of a preview outlives it, and nothing mixes with what the app has stored.
      storage: memoryStorage(),
      transport: redirectedTransport(previewTransport(send, endpoint, session), endpoint, () => state.source, newId),
    });
    void made.initialize({ ...options, test: true, logLevel: "none", onEvent: (event) => tellOf(event, tell) });
    return made;
  }

  async function show(format: Format, into: HTMLElement): Promise<string> {
    if (state.source.kind === "auction" && session() === null)
      return "No session is running, so no auction can be held.";
    preview ??= previewSdk();
    preview.destroyAd(ZONE);
    const isInline = format === "banner" || format === "native";
    const loaded = await preview.loadAd({ zone: ZONE, format, ...sizeOf(format) });
    if (!loaded.ok) return `No ${format} ad: ${loaded.message} (${loaded.code})`;
    const shown = await preview.showAd(ZONE, isInline ? { into } : { skipAfter: 5 });
    return shown.ok ? `The ${format} ad of ${loaded.network} is shown.` : `Not shown: ${shown.message} (${shown.code})`;
  }
  function end(): void {
    host.transport = send;
    preview?.shutdown();
  }
  return state;
}

function sizeOf(format: Format): { w?: number; h?: number } {
  if (format === "banner") return { w: 320, h: 50 };
  if (format === "native" || format === "audio") return {};
  return { w: Math.max(1, window.innerWidth), h: Math.max(1, window.innerHeight) };
}

/** The events that an app would hear. */
function tellOf(event: SdkEvent, tell: (text: string) => void): void {
  if (event.type === "rewardReceived") tell(`rewardReceived: ${event.reward.amount} ${event.reward.name}`);
  else if (event.type === "revenuePaid") tell(`revenuePaid: ${event.priceMicros} micro-dollars, ${event.precision}`);
  else if (event.type === "displayed" || event.type === "clicked" || event.type === "hidden") tell(event.type);
}
