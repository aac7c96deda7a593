import type { Consent } from "@millrace/contract";
import { CallError, callServer } from "./call-server.ts";
import { type DeliveryQueue, deliveryQueue } from "./delivery-queue.ts";
import type { Emitter, Log } from "./events.ts";
import type { Host, Transport } from "./host.ts";
import { installation } from "./installation.ts";
import type { AdRequest, CoreOptions } from "./options.ts";
import { deviceToSend } from "./device-to-send.ts";
import { type AdReply, type InitReply, isSwitchOff, readAdReply } from "./protocol.ts";
import { type Sessions, startSessions } from "./sessions.ts";
import { VERSION } from "./version.ts";

/** Statuses of a session that the server does not accept, or no longer. */
const SESSION_GONE = new Set([401, 403, 404, 410]);

/** Everything that is sent to the platform for one app. */
export interface ServerLink {
  sessions: Sessions;
  queue: DeliveryQueue;
  /** Requests ads. `isWaitedFor` is false once nobody waits for them, so that nothing more is sent. Rejects with SdkError. */
  ask(request: AdRequest, isWaitedFor: () => boolean): Promise<AdReply>;
  /** True while the app's consent function has not answered. */
  isConsentPending(): boolean;
}

export function serverLink(
  host: Host,
  options: CoreOptions,
  deps: {
    emitter: Emitter;
    log: Log;
    onStart: (reply: InitReply) => void;
    onSwitchOff: () => void;
    /** The names of the app's adapters. */
    adapters: () => string[] | undefined;
  },
): ServerLink {
  const { app, platform, device, installId, firstDay } = options;
  const endpoint = options.endpoint.replace(/\/+$/, "");
  const prefix = `millrace.${app}.`;
  const transport: Transport = async (request) => {
    const reply = await host.transport(request);
    if (reply.status === 200 && isSwitchOff(reply.json)) deps.onSwitchOff();
    return reply;
  };
  const watched: Host = { ...host, transport };
  const queue = deliveryQueue(watched, `${prefix}out.`, (outcome, url) => {
    deps.emitter.emit("delivery", { outcome, url });
  });

  let pending = 0;
  async function consent(): Promise<Consent> {
    if (typeof options.consent !== "function") return options.consent ?? {};
    pending += 1;
    try {
      return (await options.consent()) ?? {};
    } finally {
      pending -= 1;
    }
  }

  const sessions = startSessions(watched, {
    endpoint,
    key: `${prefix}session`,
    queue,
    onStart: deps.onStart,
    onFailure: (cause) => deps.log("warn", "a session could not be started", cause),
    async message() {
      // Consent first: before it is known, nothing is read from the device and nothing is sent.
      const signals = await consent();
      const install = installation(host, prefix, { install_id: installId, first_day: firstDay });
      const sent = deviceToSend(device, signals);
      return { app, platform, sdk_version: VERSION, ...install, device: sent, consent: signals };
    },
  });

  return {
    sessions,
    queue,
    isConsentPending: () => pending > 0,
    async ask({ zone, format, w, h, ...given }, isWaitedFor) {
      const { userId: user_id, customData: custom_data, bidderTokens: bidder_tokens } = given;
      for (let again = true; ; again = false) {
        const { session } = await sessions.current();
        const signals = await consent();
        // The load has ended without it, so nobody reads a message.
        if (!isWaitedFor()) throw new CallError("timeout", "", null);
        // JSON leaves out what is undefined.
        const test = options.test === true ? 1 : undefined;
        const privacy = { bidder_tokens, device: deviceToSend(device, signals), consent: signals };
        const body = { session, zone, format, w, h, user_id, custom_data, test, adapters: deps.adapters(), ...privacy };
        try {
          return await callServer(transport, `${endpoint}/sdk/v1/ad`, body, readAdReply);
        } catch (cause) {
          // A session that the server does not accept is replaced once; no auction was held for it.
          if (!again || !(cause instanceof CallError) || !SESSION_GONE.has(cause.status ?? 0)) throw cause;
          sessions.forget(session);
        }
      }
    },
  };
}
