import type { Ad, Consent, Device, Format, Platform } from "@millrace/contract";
import { CallError, callServer } from "./call-server.ts";
import { deliveryQueue } from "./delivery-queue.ts";
import { emitter, type Listeners } from "./events.ts";
import { installation } from "./installation.ts";
import { readAdReply, type AdReply } from "./protocol.ts";
import type { Host } from "./host.ts";
import { startSessions } from "./sessions.ts";
import { VERSION } from "./version.ts";

export interface MediationOptions extends Listeners {
  /** The app's public key. */
  app: string;
  platform: Platform;
  /** The platform's address, such as `https://ads.example.com`. */
  endpoint: string;
  device: Device;
  /** Consent signals, passed on unchanged. A function is called before each request. */
  consent?: Consent | (() => Consent);
  /** The installation's id (UUID). By default the SDK creates and stores one. */
  installId?: string;
  /** The UTC day of that installation's first start, such as `2026-11-19`. The SDK stores it if it creates the id. */
  firstDay?: string;
}

export interface AdRequest {
  zone: string;
  format: Format;
  w?: number;
  h?: number;
}

/** Tries to show one ad. If it resolves to false or throws, the next ad is tried. */
export type Render = (ad: Ad, onClick: () => void) => Promise<boolean>;

export type ShowResult =
  | { shown: true; ad: Ad; auction: string; refreshSeconds: number }
  | { shown: false; failed: boolean; refreshSeconds: number };

export interface Mediation {
  /** Requests ads, tries them in order until one shows, and reports the result. Never rejects. */
  show(request: AdRequest, render: Render): Promise<ShowResult>;
  foreground(): void;
  background(): void;
  /** The device is back online: sends everything that waits. */
  online(): void;
  /** The number of beacons and pings that wait for delivery. */
  waiting(): number;
  close(): void;
}

/** Statuses of a session that the server does not accept, or no longer. */
const SESSION_GONE = new Set([401, 403, 404, 410]);

/** Starts the SDK without a user interface: sessions, ad requests, the order of ads, and beacons. */
export function startMediation(options: MediationOptions, host: Host): Mediation {
  const emit = emitter(options);
  const endpoint = options.endpoint.replace(/\/+$/, "");
  const prefix = `millrace.${options.app}.`;
  const queue = deliveryQueue(host, `${prefix}out.`, (outcome, url) => emit.event({ type: "delivery", outcome, url }));
  const { app, platform, device } = options;
  const { installId, firstDay } = options;
  const known = installation(host, prefix, {
    ...(installId === undefined ? {} : { install_id: installId }),
    ...(firstDay === undefined ? {} : { first_day: firstDay }),
  });
  const consent = () => (typeof options.consent === "function" ? options.consent() : (options.consent ?? {}));
  const message = () => ({ app, platform, sdk_version: VERSION, ...known, device, consent: consent() });
  const sessions = startSessions(host, { endpoint, key: `${prefix}session`, message, queue, emit });

  async function ask(request: AdRequest): Promise<AdReply> {
    for (let again = true; ; again = false) {
      const { session } = await sessions.current();
      try {
        const body = { session, ...request, device, consent: consent() };
        return await callServer(host.transport, `${endpoint}/sdk/v1/ad`, body, readAdReply);
      } catch (cause) {
        if (!again || !(cause instanceof CallError) || !SESSION_GONE.has(cause.status ?? 0)) throw cause;
        sessions.forget(session);
      }
    }
  }

  async function showFirst({ zone }: AdRequest, { ads, auction }: AdReply, render: Render): Promise<Ad | null> {
    const passedOver: Ad[] = [];
    for (const ad of ads) {
      const onClick = () => {
        queue.add(ad.beacons.click);
        emit.event({ type: "click", zone, auction, ad });
      };
      let shows = false;
      try {
        shows = await render(ad, onClick);
      } catch (cause) {
        emit.error("render", cause);
      }
      if (shows) {
        queue.add(ad.beacons.impression);
        for (const loser of passedOver) queue.add(loser.beacons.loss);
        emit.event({ type: "impression", zone, auction, ad });
        emit.revenue({ revenueMicros: ad.revenue_micros, provider: ad.provider, format: ad.format, zone, auction });
        return ad;
      }
      passedOver.push(ad);
    }
    return null;
  }

  return {
    async show(request, render) {
      const { zone, format } = request;
      emit.event({ type: "request", zone, format });
      try {
        const reply = await ask(request);
        const refreshSeconds = reply.refresh_seconds;
        const ad = await showFirst(request, reply, render);
        if (ad) return { shown: true, ad, auction: reply.auction, refreshSeconds };
        const reason = reply.reason ?? (reply.ads.length > 0 ? "None of the ads could be shown" : "No ad");
        emit.event({ type: "no_ad", zone, format, reason });
        return { shown: false, failed: false, refreshSeconds };
      } catch (cause) {
        const refused = cause instanceof CallError && cause.status !== null && cause.status < 500;
        emit.error(refused ? "refused" : "network", cause);
        return { shown: false, failed: true, refreshSeconds: 0 };
      }
    },
    foreground() {
      sessions.foreground();
      queue.flush();
    },
    background: () => sessions.background(),
    online() {
      sessions.retry();
      queue.flush();
    },
    waiting: () => queue.size(),
    close() {
      sessions.close();
      queue.close();
    },
  };
}
