import { type Body, type ReplyInput, type sdkDebug, SDK_VERSION, type SITE_STATES } from "@millrace/contract";
import type { Pool } from "pg";
import type { FairQueue } from "../../../platform/fair-queue.ts";
import { Problem } from "../../../platform/http/problem.ts";
import type { KnownSwitches } from "../config/kill-switches.ts";
import type { AppConfig } from "../config/snapshot.ts";
import { type ConfigSource, configuration } from "../http/configuration.ts";
import { type DebugDeps, debugPassOf } from "../sdk/debug-order.ts";
import type { Explanation } from "../traces/explain-auction.ts";
import { pausedPartners } from "../processes/exchange-states.ts";
import { type ExplainDeps, findExplanation } from "../traces/find-explanation.ts";

export interface DebugReplyDeps extends DebugDeps, ExplainDeps {
  config: ConfigSource & { inForce: { switches: KnownSwitches } };
  pool: Pool;
  turns: Pick<FairQueue, "run">;
  siteState(accountId: number): Promise<(typeof SITE_STATES)[number]>;
}

type DebugReply = ReplyInput<typeof sdkDebug>;

/**
 * What the platform tells a debugger about the app of its token, never a key at a partner. Throws Problem `invalid` for a
 * token that opens nothing, `not_found` if its app is gone.
 */
export async function debugReply(
  deps: DebugReplyDeps,
  { token, auctions: auctionIds }: Body<typeof sdkDebug>,
): Promise<DebugReply> {
  const { appId, expiresAt } = debugPassOf(deps, token);
  const app = configuration(deps.config).byId.get(appId);
  if (!app) throw new Problem("not_found", { token: "The app of this token no longer exists" });
  await deps.debugged.take(appId);
  const [app_ads, auctions, paused] = await Promise.all([
    deps.siteState(app.accountId),
    auctionsOf(deps, app, auctionIds),
    pausedPartners(deps.pool),
  ]);
  const off = deps.config.inForce.switches.of({ appId, sdkVersion: "", country: "" });
  return {
    app: {
      uuid: app.uuid,
      name: app.name,
      is_live: app.facts.live,
      is_switched_off: app.isSwitchedOff || off?.everything === true,
    },
    token_expires_at: new Date(expiresAt * 1000).toISOString(),
    latest_sdk_version: SDK_VERSION,
    app_ads,
    zones: [...app.zones.values()].map(({ zone, name, format, refreshSeconds }) => ({
      zone,
      name,
      format,
      refresh_seconds: refreshSeconds,
    })),
    partners: partnersOf(app, new Set(paused.map((each) => each.id))),
    adapters: app.lineItems.flatMap(({ name, enabled, format, source }) =>
      enabled && source.kind === "sdk" ? [{ adapter: source.adapter, line_item: name, format }] : [],
    ),
    auctions,
  };
}

/** Those that the platform asks: what the operator has switched off tells the app's developer nothing. */
const partnersOf = ({ demand }: AppConfig, paused: ReadonlySet<string>): DebugReply["partners"] =>
  demand.flatMap(({ partner, banner, video, isOff }) =>
    partner.active
      ? [
          {
            provider: partner.id,
            name: partner.name,
            is_on: !isOff,
            has_banner_keys: banner !== null,
            has_video_keys: video !== null,
            is_paused: paused.has(partner.id),
          },
        ]
      : [],
  );

/** One after the other, in one turn of the account: a debugger may not slow down its own dashboard. */
function auctionsOf(
  deps: DebugReplyDeps,
  app: AppConfig,
  auctionIds: readonly string[],
): Promise<DebugReply["auctions"]> {
  const reader = { reaches: ({ id }: AppConfig) => id === app.id, showsAdvertisers: false, showsKeys: false };
  return deps.turns.run(app.accountId, async () => {
    const found: DebugReply["auctions"] = [];
    for (const id of new Set(auctionIds)) {
      const explained = await findExplanation(deps.config, deps, id, reader);
      found.push(...(explained ? debuggedOf(explained) : []));
    }
    return found;
  });
}

/** The part of an explanation that fits on a phone; the dashboard's page has the rest. */
function debuggedOf({ auction, at, test, imps, participants }: Explanation): DebugReply["auctions"] {
  // An SDK asks for one place at a time.
  const [imp] = imps;
  if (!imp) return [];
  return [
    {
      auction,
      at,
      test,
      zone: imp.zone,
      format: imp.format,
      sentence: imp.sentence,
      detail: imp.detail,
      price: imp.price?.thousand.cleared ?? null,
      answered_ms: imp.answered_ms,
      participants: participants.map(({ provider, name, latency_ms, results, outcome }) => {
        const { result, label, text, price } = results.find((each) => each.imp === imp.imp) ?? NOT_ASKED;
        // A result without a reason of its own has the whole auction's.
        return { provider, name, result, label, text: text === "" ? outcome.text : text, price, latency_ms };
      }),
    },
  ];
}

const NOT_ASKED = { result: "not_asked", label: "Not asked", text: "", price: null } as const;
