import {
  acceptDrift,
  adjustBalance,
  adminApps,
  adminBooks,
  adminDeductions,
  adminPlatform,
  adminRefills,
  adminShares,
  adminUsers,
  answerDeduction,
  auditLog,
  blockUser,
  checkBooks,
  creativeQueue,
  creditAdvertiser,
  deductible,
  moderateApp,
  moderateCreative,
  moderationQueue,
  noteDeduction,
  passOnShortfall,
  refillBalance,
  setShare,
  switchToUser,
  takeBackRefill,
} from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/serve.ts";
import {
  acceptDrift as accept,
  deductibleOn,
  listAllDeductions,
  listRefills,
  readBooks,
  readShares,
} from "../payments/index.ts";
import * as adjust from "./adjust-balance.ts";
import * as answer from "./answer-deduction.ts";
import * as block from "./block-user.ts";
import * as credit from "./credit-advertiser.ts";
import type { Admin } from "./deps.ts";
import { findOwner } from "./find-owner.ts";
import { listActs } from "./list-acts.ts";
import { listApps, listWaitingApps } from "./list-apps.ts";
import { listUsers } from "./list-users.ts";
import * as moderate from "./moderate-app.ts";
import * as creatives from "./moderate-creative.ts";
import * as note from "./note-deduction.ts";
import * as passing from "./pass-on-shortfall.ts";
import { readPlatform } from "./platform/read-platform.ts";
import * as refill from "./refill-balance.ts";
import * as share from "./set-share.ts";
import * as taking from "./take-back-refill.ts";
import * as switching from "./switch-to-user.ts";

export function adminRoutes(app: FastifyInstance, admin: Admin): void {
  serve(app, adminUsers, ({ query }) => listUsers(admin, query));
  serve(app, adminApps, ({ query }) => listApps(admin, query));
  serve(app, adminPlatform, () => readPlatform(admin));
  serve(app, switchToUser, async ({ params, ...by }) => ({
    redirect_to: await switching.switchToUser(admin, by, params.id),
  }));
  serve(app, blockUser, async ({ params, body, ...by }) => {
    await block.blockUser(admin, by, { uuid: params.id, ...body });
    return { ok: 1 as const };
  });
  serve(app, refillBalance, async ({ params, body, ...by }) => {
    const { amount: amountMicros, ...input } = body;
    return { campaign_balance: await refill.refillBalance(admin, by, { uuid: params.id, amountMicros, ...input }) };
  });
  serve(app, adminRefills, async ({ params }) =>
    listRefills(admin.pool, (await findOwner(admin.pool, params.id)).accountId),
  );
  serve(app, takeBackRefill, async ({ params, body, ...by }) => ({
    campaign_balance: await taking.takeBackRefill(admin, by, { uuid: params.id, ...body }),
  }));
  serve(app, creditAdvertiser, async ({ params, body, ...by }) => ({
    campaign_balance: await credit.creditAdvertiser(admin, by, { uuid: params.id, ...body }),
  }));
  serve(app, adjustBalance, async ({ params, body, ...by }) => ({
    balance: await adjust.adjustBalance(admin, by, { uuid: params.id, ...body }),
  }));
  serve(app, adminShares, async ({ params }) => readShares(admin, (await findOwner(admin.pool, params.id)).accountId));
  serve(app, setShare, ({ params, body, ...by }) => share.setShare(admin, by, { uuid: params.id, ...body }));
  serve(app, adminDeductions, ({ query }) => listAllDeductions(admin, query));
  serve(app, deductible, async ({ params, query }) => {
    const { accountId } = await findOwner(admin.pool, params.id);
    return deductibleOn(admin, { accountId, ...query });
  });
  serve(app, noteDeduction, ({ params, body, ...by }) => note.noteDeduction(admin, by, { owner: params.id, ...body }));
  serve(app, answerDeduction, async ({ params, body, ...by }) => {
    await answer.answerDeduction(admin, by, { uuid: params.id, ...body });
    return { ok: 1 as const };
  });
  serve(app, passOnShortfall, ({ params, body, ...by }) =>
    passing.passOnShortfall(admin, by, { statement: params.id, ...body }),
  );
  serve(app, adminBooks, () => readBooks(admin.pool));
  serve(app, checkBooks, async () => {
    await admin.checkBooks();
    return { ok: 1 as const };
  });
  serve(app, acceptDrift, async ({ params, body, ...by }) => {
    await accept(admin, by, { id: params.id, ...body });
    return { ok: 1 as const };
  });
  serve(app, moderationQueue, ({ query }) => listWaitingApps(admin, query));
  serve(app, moderateApp, async ({ params, body, ...by }) => {
    await moderate.moderateApp(admin, by, { uuid: params.id, ...body });
    return { ok: 1 as const };
  });
  serve(app, creativeQueue, ({ query }) => creatives.listCreatives(admin, query));
  serve(app, moderateCreative, async ({ params, body, ...by }) => {
    const { waiting_since: waitingSince, decided_at: decidedAt, for_children: forChildren, ...decision } = body;
    const seen = { waitingSince, decidedAt };
    await creatives.moderateCreative(admin, by, { uuid: params.id, ...seen, forChildren, ...decision });
    return { ok: 1 as const };
  });
  serve(app, auditLog, ({ query }) => listActs(admin, query));
}
