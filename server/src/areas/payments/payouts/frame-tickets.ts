import { createHmac } from "node:crypto";
import type { Clock } from "../../../platform/clock.ts";
import { isSecret } from "../../../platform/secrets/token.ts";

/** Signed tickets that open one payee's frame for an hour. */
export interface FrameTickets {
  issue(payeeId: string): string;
  /** The payee of a ticket that is still valid; null of any other. */
  read(ticket: string): string | null;
}

const VALID_SECONDS = 3600;
const TICKET = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{10})\.([\w-]{43})$/;

/** The newest secret signs, and any of them opens, so that a rotation interrupts nobody. */
export function frameTickets(secrets: readonly string[], clock: Clock): FrameTickets {
  const [newest] = secrets;
  if (newest === undefined) throw new RangeError("There is no secret to sign tickets with");
  const seconds = () => Math.floor(clock.now() / 1000);
  return {
    issue(payeeId) {
      const text = `${payeeId}.${seconds() + VALID_SECONDS}`;
      return `${text}.${signature(newest, text)}`;
    },
    read(ticket) {
      const [, payeeId, until, sent] = TICKET.exec(ticket) ?? [];
      if (payeeId === undefined || until === undefined || sent === undefined) return null;
      const text = `${payeeId}.${until}`;
      const isOurs = secrets.some((secret) => isSecret(sent, signature(secret, text)));
      return isOurs && Number(until) > seconds() ? payeeId : null;
    },
  };
}

const signature = (secret: string, text: string): string =>
  createHmac("sha256", secret).update(`millrace payout frame ${text}`).digest("base64url");
