import { failureOf, type Incoming, type Outcome, type Outgoing, SdkError, type Transport } from "@millrace/sdk/core";
import { askDebugReply, type DebugReply } from "@millrace/sdk/debug-reply";

/** The platform takes at most so many, and a developer looks at the last ones. */
const KEPT_AUCTIONS = 10;
/** The platform refuses any other auction id. */
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Remembers the last auctions of the app, and asks the platform about them. */
export class DebugReports {
  readonly #transport: Transport;
  #auctions: string[] = [];
  #endpoint: string | null = null;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  startedAt(endpoint: unknown): void {
    this.#endpoint = typeof endpoint === "string" ? endpoint.replace(/\/+$/, "") : null;
  }

  heard({ url }: Outgoing, { status, json }: Incoming): void {
    if (status !== 200 || !url.endsWith("/sdk/v1/ad")) return;
    const auction = (json as { auction?: unknown } | null | undefined)?.auction;
    if (typeof auction !== "string" || !UUID.test(auction)) return;
    this.#auctions = [auction, ...this.#auctions].slice(0, KEPT_AUCTIONS);
  }

  async ask(token: string): Promise<Outcome<{ report: DebugReply }>> {
    try {
      if (this.#endpoint === null) throw new SdkError("not_initialized", "Call initialize first");
      const message = { token, auctions: this.#auctions };
      return { ok: true, report: await askDebugReply(this.#transport, this.#endpoint, message) };
    } catch (cause) {
      return { ok: false, ...failureOf(cause) };
    }
  }
}
