import { LOGIN_DAYS, OTP_VERIFIED_DAYS } from "@millrace/contract";
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

const DAY_MS = 86_400_000;

/** Whom a session is for. */
export interface SessionFor {
  userId: number;
  accountId: number;
  /** An authenticator code was given just now. */
  codeGiven?: boolean;
  /** Let in by a password, which fits this hash; whoever has changed it meanwhile has ended this sign-in, too. */
  passwordHash?: string;
}

/**
 * Opens a session and gives this browser its cookie. The one way in, for every kind of sign-in: whatever session the browser
 * held before is over, so that nobody can fix one on somebody else. Problem `unauthenticated` where the user is gone, or the
 * password is another by now.
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
