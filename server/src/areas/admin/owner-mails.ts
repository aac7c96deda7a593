import { DEDUCTION_REASON_LABELS, SDK_STATUS_TEXTS } from "@millrace/contract";
import { formatBalance, formatDay, formatMoney, formatMoneyExact, formatPercent } from "@millrace/units";
import { z } from "zod";
import { MAIL_PATIENCE, type MailContent, composeMail, sentBecause } from "../../platform/mail/index.ts";
import { decidedCreative } from "../campaigns/index.ts";
import { findDeduction } from "../payments/index.ts";
import type { Admin, AdminDeps, OwnerNews } from "./deps.ts";
import { findOwnerOf } from "./find-owner.ts";

const QUEUE = "owner-mail";

const News = z.discriminatedUnion("what", [
  z.object({
    what: z.literal("refilled"),
    accountId: z.int(),
    amountMicros: z.int(),
    balanceMicros: z.int(),
    // Jobs that an earlier version queued have none.
    reason: z.string().default(""),
  }),
  z.object({
    what: z.literal("refill_taken_back"),
    accountId: z.int(),
    amountMicros: z.int(),
    balanceMicros: z.int(),
    reason: z.string(),
  }),
  z.object({
    what: z.literal("credited"),
    accountId: z.int(),
    amountMicros: z.int(),
    balanceMicros: z.int(),
    reason: z.string(),
  }),
  z.object({
    what: z.literal("adjusted"),
    accountId: z.int(),
    kind: z.enum(["bonus", "correction"]),
    amountMicros: z.int(),
    balanceMicros: z.int(),
    reason: z.string(),
  }),
  z.object({
    what: z.literal("share_set"),
    accountId: z.int(),
    from: z.iso.date(),
    sharePpm: z.int(),
    formerPpm: z.int(),
    reason: z.string(),
  }),
  z.object({
    what: z.enum(["deduction_noted", "deduction_upheld", "deduction_reversed"]),
    accountId: z.int(),
    uuid: z.uuid(),
  }),
  z.object({ what: z.enum(["live", "banned"]), accountId: z.int(), appId: z.int() }),
  z.object({ what: z.enum(["creative_approved", "creative_blocked"]), accountId: z.int(), creativeId: z.int() }),
]) satisfies z.ZodType<OwnerNews>;

type Deps = Pick<AdminDeps, "pool" | "mailer" | "jobs" | "publicUrl" | "operatorName" | "providerNames">;

/** Mails owners about decisions on their account. Jobs send them, so an unreachable mail server loses none. */
export function ownerMails(deps: Deps): Admin["tellOwner"] {
  deps.jobs.define(QUEUE, News, (news) => mailOwner(deps, news), MAIL_PATIENCE);
  return (client, news) => deps.jobs.send(QUEUE, news, { client });
}

async function mailOwner(deps: Deps, news: OwnerNews): Promise<void> {
  const owner = await findOwnerOf(deps.pool, news.accountId);
  const content = owner && (await contentOf(deps, news));
  if (!owner || !content) return;
  const footer = sentBecause(deps, "you own an account there");
  await deps.mailer.send({ to: owner.email, ...composeMail({ ...content, footer }) });
}

/** Null if the subject of the mail is gone. */
async function contentOf(deps: Deps, news: OwnerNews): Promise<Omit<MailContent, "footer"> | null> {
  const pageOf = (path: string) => new URL(path, deps.publicUrl).href;
  if (news.what === "refilled") {
    return {
      title: "Your campaign balance was refilled",
      lines: [
        `${formatMoneyExact(news.amountMicros)} has been added to your campaign balance.`,
        ...(news.reason === "" ? [] : [`Reason: ${news.reason}`]),
        `The new balance is ${formatMoney(news.balanceMicros)}.`,
      ],
      button: { label: "See your campaign balance", url: pageOf("/payment/balance") },
    };
  }
  if (news.what === "refill_taken_back") {
    return {
      title: "A refill of your campaign balance was corrected",
      lines: [
        `${formatMoneyExact(news.amountMicros)} has been taken off your campaign balance.`,
        `Reason: ${news.reason}`,
        `The new balance is ${formatMoney(news.balanceMicros)}.`,
      ],
      button: { label: "See your campaign balance", url: pageOf("/payment/balance") },
    };
  }
  if (news.what === "credited") {
    const { amountMicros, balanceMicros, reason } = news;
    const isGiven = amountMicros > 0;
    return {
      title: isGiven ? "Your campaign balance was credited" : "A credit of your campaign balance was corrected",
      lines: [
        `${formatMoneyExact(Math.abs(amountMicros))} has been ${isGiven ? "added to" : "taken off"} your campaign balance.`,
        `Reason: ${reason}`,
        `The new balance is ${formatMoney(balanceMicros)}.`,
      ],
      button: { label: "See your campaign balance", url: pageOf("/payment/balance") },
    };
  }
  if (news.what === "adjusted") {
    const { kind, amountMicros, balanceMicros, reason } = news;
    const moved = `${formatMoneyExact(Math.abs(amountMicros))} has been ${amountMicros > 0 ? "added to" : "taken from"} your balance.`;
    return {
      title: kind === "bonus" ? "You received a bonus" : "Your balance was corrected",
      lines: [moved, `Reason: ${reason}`, `The new balance is ${formatBalance(balanceMicros)}.`],
      button: { label: "See the finance report", url: pageOf("/report") },
    };
  }
  if (news.what === "share_set") {
    const [share, former] = [news.sharePpm, news.formerPpm].map((ppm) => formatPercent(ppm / 10_000));
    return {
      title: `Your share of the price from ${formatDay(news.from)} on`,
      lines: [
        `From ${formatDay(news.from)} (UTC) on, you earn ${share} of the price at which an ad of yours is sold${news.sharePpm === news.formerPpm ? "" : ` instead of ${former}`}.`,
        `Reason: ${news.reason}`,
      ],
      button: { label: "See your payments", url: pageOf("/payment") },
    };
  }
  if ("uuid" in news) return deductionContent(deps, news, pageOf("/payment/deductions"));
  if ("creativeId" in news) {
    const isApproved = news.what === "creative_approved";
    const state = isApproved ? "approved" : "blocked";
    const creative = await decidedCreative(deps.pool, { id: news.creativeId, state });
    if (!creative) return null;
    return {
      title: `A creative of ${creative.campaign} ${isApproved ? "is approved" : "was blocked"}`,
      lines: [
        isApproved
          ? `The creative for ${creative.storeId} has passed moderation.`
          : `The creative for ${creative.storeId} will not be shown. Edit it to have it moderated again.`,
        ...(creative.reason === null ? [] : [`${isApproved ? "Note" : "Reason"}: ${creative.reason}`]),
      ],
      button: { label: "See the campaign", url: pageOf(`/campaign/${creative.campaignUuid}/edit`) },
    };
  }
  const { rows } = await deps.pool.query<{ name: string; uuid: string; reason: string | null }>(
    `SELECT name, uuid, moderation_reason AS reason FROM apps
     WHERE id = $1 AND account_id = $2 AND moderation = $3 AND deleted_at IS NULL`,
    [news.appId, news.accountId, news.what],
  );
  const [app] = rows;
  if (!app) return null;
  const button = { label: "See the app", url: pageOf(`/apps/${app.uuid}/performance`) };
  const isLive = news.what === "live";
  return {
    title: isLive ? `${app.name} is approved` : `${app.name} was banned`,
    lines: [
      isLive ? SDK_STATUS_TEXTS.checked : SDK_STATUS_TEXTS.bad,
      ...(app.reason === null ? [] : [`${isLive ? "Note" : "Reason"}: ${app.reason}`]),
    ],
    button,
  };
}

const DEDUCTION_TITLES = {
  deduction_noted: "An amount was deducted from your balance",
  deduction_upheld: "A deduction from your balance was upheld",
  deduction_reversed: "A deduction from your balance was reversed",
} as const;

/** The answer is read when the mail is sent: its text is in no job. */
async function deductionContent(
  { pool, providerNames }: Deps,
  { what, uuid }: Extract<OwnerNews, { uuid: string }>,
  page: string,
): Promise<Omit<MailContent, "footer"> | null> {
  const deduction = await findDeduction(pool, uuid);
  if (!deduction) return null;
  const { amountMicros, reason, explanation, day, appName, provider, until, answer } = deduction;
  const amount = formatMoneyExact(amountMicros);
  const name = provider === "" ? "" : `, ${(await providerNames()).get(provider) ?? provider}`;
  const about = [
    `It is about ${appName} on ${formatDay(day)}${name}. ${DEDUCTION_REASON_LABELS[reason]}: ${explanation}`,
  ];
  const lines = {
    deduction_noted: [
      `${amount} has been deducted from your balance.`,
      ...about,
      `If you think that this is wrong, you can dispute it until ${formatDay(until)} (UTC).`,
    ],
    deduction_upheld: [`The deduction of ${amount} stands.`, ...about],
    deduction_reversed: [`${amount} has been given back to your balance.`, ...about],
  }[what];
  const words = what === "deduction_noted" || answer === null ? [] : ["Our answer:", ...answer.split(/\r\n|\r|\n/)];
  return {
    title: DEDUCTION_TITLES[what],
    lines: [...lines, ...words.filter((line) => line !== "")],
    button: { label: "See your deductions", url: page },
  };
}
