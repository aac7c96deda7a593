import { EVENT_NAME, INSTALL, type PostbackOutcome } from "@millrace/contract";
import { DAY_MS, HOUR_MS } from "@millrace/units";
import type { ClickFacts } from "./click-id.ts";
import {
  claimConversion,
  markStored,
  type MeasuredCampaign,
  measuredCampaign,
  type NewConversion,
} from "./conversion-store.ts";
import type { MeasurementDeps } from "./deps.ts";
import type { PostbackKey } from "./postback-keys.ts";
import { isSecret } from "../../platform/secrets/token.ts";
import { isSigned, type PostbackParams } from "./postback-signature.ts";

/** What became of a conversion that is due. */
type Counted = "accepted" | "replayed" | "over_limit";

/** A click's second may be ahead of a process whose clock is behind. */
const CLOCKS_APART_MS = 5 * 60_000;
const LONGEST_TRANSACTION = 128;
/** Printable: a log shows what strangers send. */
const PRINTABLE = /^[ -~\u00a0-\uffff]*$/;

/** What became of a postback, and what of it could be told. */
export interface TakenPostback {
  outcome: PostbackOutcome;
  /** 0 if it names no campaign of the account. */
  campaignId: number;
  event: string;
  transactionId: string;
  kind: ClickFacts["kind"] | null;
  isTest: boolean;
  /** A sentence for each parameter that makes it malformed. */
  wrong?: Record<string, string>;
}

/**
 * Checks a postback and counts its conversion. Resolves once that is durable; rejects if it cannot be, and then the same
 * postback may be sent again.
 */
export async function takePostback(
  deps: Pick<MeasurementDeps, "pool" | "clock" | "events" | "clickIds">,
  { accountId, secret }: Pick<PostbackKey, "accountId" | "secret">,
  params: PostbackParams,
): Promise<TakenPostback> {
  const nowMs = deps.clock.now();
  const event = params.get("event") ?? INSTALL;
  const transactionId = params.get("transaction_id") ?? "";
  const clickId = params.get("click_id") ?? "";
  const wrong = wrongParams({ event, transactionId, clickId });
  const facts = {
    campaignId: 0,
    event: "event" in wrong ? "" : event,
    transactionId: "transaction_id" in wrong ? "" : transactionId,
    kind: null,
    isTest: false,
  };
  if (!isSigned(params, secret) && !isSignedByLink(deps.clickIds, params)) return { ...facts, outcome: "unauthorized" };
  if (Object.keys(wrong).length > 0) return { ...facts, outcome: "malformed", wrong };
  const click = deps.clickIds.open(clickId);
  const campaign = click && (await measuredCampaign(deps.pool, accountId, click.campaignId));
  if (!click || !campaign) return { ...facts, outcome: "unknown_click" };
  const attributed = { ...facts, campaignId: click.campaignId, kind: click.kind, isTest: click.test };
  if (isLate(click, campaign, nowMs)) return { ...attributed, outcome: "late" };
  if (click.test) return { ...attributed, outcome: "accepted" };
  const isGoal = event === campaign.conversionEvent;
  const outcome = await inTurn(`${click.ad} ${event} ${transactionId}`, () =>
    count(deps, { click, event, transactionId, isGoal, at: new Date(nowMs) }),
  );
  return { ...attributed, outcome };
}

/** A sentence for each parameter that is missing or wrong. */
const wrongParams = (params: { event: string; transactionId: string; clickId: string }): Record<string, string> => ({
  ...(params.clickId === "" && { click_id: "This parameter is missing" }),
  ...(!EVENT_NAME.test(params.event) && { event: "Use letters, digits and _.:-, at most 64 of them" }),
  ...((params.transactionId.length > LONGEST_TRANSACTION || !PRINTABLE.test(params.transactionId)) && {
    transaction_id: `Use at most ${LONGEST_TRANSACTION} characters, all of them visible`,
  }),
});

/** Whether a postback has the signature that its click's link got from us, which is good for one install after this click. */
function isSignedByLink(ids: MeasurementDeps["clickIds"], params: PostbackParams): boolean {
  const signature = ids.installSignature(params.get("click_id") ?? "");
  const isInstall = params.get("event") === INSTALL && (params.get("transaction_id") ?? "") === "";
  return isInstall && signature !== "" && isSecret(params.get("signature") ?? "", signature);
}

async function count(
  { pool, events }: Pick<MeasurementDeps, "pool" | "events">,
  conversion: NewConversion,
): Promise<Counted> {
  const claimed = await claimConversion(pool, conversion);
  if (typeof claimed === "string") return claimed;
  // A process that ends before the last step counts it again with the next try, as an equal row.
  await events.append("conversions", claimed.row);
  await markStored(pool, claimed.id);
  return "accepted";
}

const running = new Map<string, Promise<unknown>>();

/** Repetitions of a postback that is being counted wait for what becomes of it. */
async function inTurn(key: string, task: () => Promise<Counted>): Promise<Counted> {
  for (let earlier = running.get(key); earlier !== undefined; earlier = running.get(key))
    await earlier.catch(() => undefined);
  const own = task();
  running.set(key, own);
  try {
    return await own;
  } finally {
    running.delete(key);
  }
}

function isLate(click: ClickFacts, { clickWindowDays, viewWindowHours }: MeasuredCampaign, nowMs: number): boolean {
  const windowMs = click.kind === "click" ? clickWindowDays * DAY_MS : viewWindowHours * HOUR_MS;
  return nowMs > click.atMs + windowMs || click.atMs > nowMs + CLOCKS_APART_MS;
}
