import { LOGIN_DAYS, OTP_VERIFIED_DAYS } from "@millrace/contract";
import { DAY_MS } from "@millrace/units";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Pool } from "pg";
import type { Clock } from "../../../platform/clock.ts";
import { notSignedIn } from "../../../platform/http/problem.ts";
import type { Sealer } from "../../../platform/sealed/sealer.ts";
import { newToken, tokenHash } from "../../../platform/secrets/token.ts";
import { findUserById } from "../people-store.ts";
import { rememberDevice } from "../sign-in/familiar-device.ts";
import { sessionCookie } from "./session-cookie.ts";
import { deleteSession, insertSession } from "./session-store.ts";

/** The user and account of a session. */
export interface SessionFor {
  userId: number;
  accountId: number;
  /** An authenticator code was given just now. */
  codeGiven?: boolean;
  /** The hash that the password matched; a password changed in the meantime refuses the sign-in. */
  passwordHash?: string;
}

/**
 * Opens a session and sets this browser's cookie, for every kind of sign-in. It ends the browser's earlier session,
 * which prevents session fixation. Problem `unauthenticated` if the user is gone or the password has changed.
 */
export async function openSession(
  { pool, clock, sealer }: { pool: Pool; clock: Clock; sealer: Sealer },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { userId, accountId, codeGiven = false, passwordHash }: SessionFor,
): Promise<void> {
  const now = clock.now();
  const token = newToken();
  const opened = await insertSession(pool, {
    tokenHash: tokenHash(token),
    userId,
    accountId,
    createdAt: new Date(now),
    expiresAt: new Date(now + LOGIN_DAYS * DAY_MS),
    otpVerifiedUntil: codeGiven ? new Date(now + OTP_VERIFIED_DAYS * DAY_MS) : null,
    passwordHash: passwordHash ?? null,
  });
  if (!opened) throw notSignedIn();
  const previous = sessionCookie.read(request);
  if (previous !== undefined) await deleteSession(pool, tokenHash(previous));
  sessionCookie.set(request, reply, token);
  const user = await findUserById(pool, userId);
  if (user) rememberDevice(sealer, { request, reply }, user);
}
