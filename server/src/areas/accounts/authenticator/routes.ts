import { OTP_VERIFIED_DAYS, clearOtpSecret, generateOtpSecret, saveOtpSecret, verifyOtpCode } from "@millrace/contract";
import { DAY_MS } from "@millrace/units";
import type { FastifyInstance } from "fastify";
import { serve } from "../../../platform/http/serve.ts";
import type { Accounts } from "../deps.ts";
import { sessionCookie } from "../sessions/session-cookie.ts";
import { setOtpVerified } from "../sessions/session-store.ts";
import { beginSetup, switchOff, switchOn } from "./set-up.ts";
import { type CodeInput, requireCode } from "./take-code.ts";

/** Six digits are an authenticator code; recovery codes are longer. */
const inputOf = (code: string): CodeInput => (/^\d{6}$/.test(code) ? { otp_code: code } : { recovery_code: code });

export function authenticatorRoutes(app: FastifyInstance, accounts: Accounts): void {
  const { pool, clock } = accounts;

  serve(app, generateOtpSecret, ({ caller }) => beginSetup(accounts, { caller }));

  serve(app, saveOtpSecret, async ({ caller, query, request, reply }) => {
    await switchOn(accounts, { caller, request }, query);
    sessionCookie.clear(request, reply);
    return { success: true as const };
  });

  serve(app, clearOtpSecret, async ({ caller, query, request, reply }) => {
    await switchOff(accounts, { caller, request }, inputOf(query.code));
    sessionCookie.clear(request, reply);
    return { success: true as const };
  });

  serve(app, verifyOtpCode, async ({ caller, query }) => {
    // A retry after a lost reply: the first try used the code up, and another recovery code would be wasted.
    if (!caller.mfaPending) return { success: true as const };
    await requireCode(accounts, caller.userId, inputOf(query.code), { session: caller.sessionHash });
    await setOtpVerified(pool, caller.sessionHash, new Date(clock.now() + OTP_VERIFIED_DAYS * DAY_MS));
    return { success: true as const };
  });
}
