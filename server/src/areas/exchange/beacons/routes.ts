import {
  clickBeacon,
  impressionBeacon,
  impressionBeaconPost,
  lossBeacon,
  MOST_PAID_MICROS,
  PLAYER_EVENTS,
  STEP_OUTCOMES,
  playerBeacon,
  rewardBeacon,
} from "@millrace/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { OutgoingHttpHeaders } from "node:http";
import { Problem } from "../../../platform/http/problem.ts";
import { serveRaw } from "../../../platform/http/serve-raw.ts";
import { openToken, type OpenedToken } from "../delivery/beacon-token.ts";
import type { AdLinks } from "../campaigns/ad-links.ts";
import { openDestination } from "../delivery/click-destination.ts";
import { clientOf, viewerOf } from "../http/client.ts";
import { type BeaconDeps, type EventOutcome, type Sender, senderOf } from "./event-draft.ts";
import { takeEvents } from "./take-events.ts";
import { type RewardDeps, takeReward } from "./take-reward.ts";
import { errorCodeOf, takePlayerEvent } from "./take-player-event.ts";

const TOLD = [...PLAYER_EVENTS, ...STEP_OUTCOMES];
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64").toString("latin1");
const GIF_HEADERS = { "content-type": "image/gif", "content-length": GIF.length, "cache-control": "no-store" };
/** An impression's token may contain a notice of 4 KB. */
const MAX_TOKEN = 8192;

/** The addresses that ads call when they are shown, clicked or skipped for the next. */
export function beaconRoutes(
  scope: FastifyInstance,
  deps: BeaconDeps & RewardDeps & { links: Pick<AdLinks, "clickLink"> | null },
): void {
  const impression = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = textIn(request, "t");
    const paid = paidIn(request);
    const sent = { type: "impression", token, ...(paid !== null && { paidMicros: paid }) } as const;
    const [outcome] = await takeEvents(deps, [sent], senderIn(request));
    if (isForged(outcome)) throw forged();
    return sendGif(reply);
  };
  serveRaw(scope, impressionBeacon, "echo", impression);
  serveRaw(scope, impressionBeaconPost, "echo", impression);

  serveRaw(scope, clickBeacon, "echo", async (request, reply) => {
    const token = textIn(request, "t");
    const { to, s } = request.query as Record<string, unknown>;
    const outcome = await takeClick(deps, token, { sender: senderIn(request), leads: to !== undefined });
    const opened = openToken(deps.keyring, "click", token);
    if (!opened) throw forged();
    if (to === undefined) return sendGif(reply);
    // A redirect that never expired could be abused as an open redirect.
    if (deps.clock.now() > opened.facts.expiresAtMs) throw new Problem("gone", "This ad is over");
    const url = typeof to === "string" && typeof s === "string" ? openDestination(deps.keyring, token, to, s) : null;
    if (url === null) throw new Problem("invalid", { to: "This address does not lead there" });
    return reply
      .headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" })
      .redirect(linkOf(deps, opened, outcome, url), 302);
  });

  serveRaw(scope, lossBeacon, "echo", async (request, reply) => {
    const opened = openToken(deps.keyring, "loss", textIn(request, "t"));
    if (!opened) throw forged();
    deps.onLoss(opened.facts);
    const { e } = request.query as Record<string, unknown>;
    if (typeof e === "string") {
      const reported = { event: "error", errorCode: errorCodeOf(e) } as const;
      await takePlayerEvent(deps, opened, reported, senderIn(request));
    }
    return sendGif(reply);
  });

  serveRaw(scope, rewardBeacon, "echo", async (request, reply) => {
    const opened = openToken(deps.keyring, "reward", textIn(request, "t"));
    if (!opened) throw forged();
    await takeReward(deps, opened);
    return sendGif(reply);
  });

  serveRaw(scope, playerBeacon, "echo", async (request, reply) => {
    const opened = openToken(deps.keyring, "player", textIn(request, "t"));
    if (!opened) throw forged();
    const { e } = request.query as Record<string, unknown>;
    const event = TOLD.find((each) => each === e);
    if (!event) throw new Problem("invalid", { e: `must be one of ${TOLD.join(", ")}` });
    await takePlayerEvent(deps, opened, { event }, senderIn(request));
    return sendGif(reply);
  });
}

/**
 * Takes a click. Undefined if it cannot be stored and its address leads somewhere: the person who taps is led there all the
 * same, and the click is lost. Without a destination it rejects with Problem `unavailable`, and the SDK sends it again.
 */
async function takeClick(
  deps: BeaconDeps,
  token: string,
  { sender, leads }: { sender: Sender; leads: boolean },
): Promise<EventOutcome | undefined> {
  try {
    const [outcome] = await takeEvents(deps, [{ type: "click", token }], sender);
    return outcome;
  } catch (error) {
    if (leads && error instanceof Problem && error.code === "unavailable") return undefined;
    throw error;
  }
}

/** A campaign's link with its macros filled, with a click id if the click counts; any other link as it is. */
function linkOf(
  { links, clock }: BeaconDeps & { links: Pick<AdLinks, "clickLink"> | null },
  opened: OpenedToken,
  outcome: EventOutcome | undefined,
  url: string,
): string {
  if (!links) return url;
  const counts = outcome !== undefined && (outcome.result !== "invalid" || outcome.reason === "test");
  return links.clickLink(url, opened, { atMs: clock.now(), counts });
}

const senderIn = (request: FastifyRequest): Sender => senderOf(clientOf(request), viewerOf(request));

const forged = () => new Problem("invalid", { t: "This address was not made by this platform" });

const isForged = (outcome: EventOutcome | undefined) => outcome?.result === "invalid" && outcome.reason === "forged";

function textIn(request: FastifyRequest, field: string): string {
  const value = (request.query as Record<string, unknown>)[field];
  if (typeof value !== "string" || value === "" || value.length > MAX_TOKEN) {
    throw new Problem("invalid", { [field]: `must be one text of 1 to ${MAX_TOKEN} characters` });
  }
  return value;
}

/** The CPM in micro-dollars that a line item's seller pays, as its SDK tells; null if it tells none or no valid one. */
function paidIn(request: FastifyRequest): number | null {
  const { paid_micros: paid } = request.query as Record<string, unknown>;
  const micros = typeof paid === "string" && /^\d{1,10}$/.test(paid) ? Number(paid) : null;
  return micros !== null && micros <= MOST_PAID_MICROS ? micros : null;
}

/** Bypasses the hooks for compression and serialization, and sends head and body in one write. */
function sendGif(reply: FastifyReply): undefined {
  reply.hijack();
  // Not copied: Fastify's headers object is slow to spread.
  reply.raw.writeHead(200, Object.assign(reply.getHeaders() as OutgoingHttpHeaders, GIF_HEADERS));
  reply.raw.end(GIF, "latin1");
}
