import { randomBytes } from "node:crypto";
import { tokenHash } from "../../../platform/secrets/token.ts";

const LINK = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-([0-9a-f]{32})$/;

/** A new link's 128 random bits, and the hash that the store keeps of them. */
export function newSalt(): { salt: string; saltHash: string } {
  const salt = randomBytes(16).toString("hex");
  return { salt, saltHash: tokenHash(salt) };
}

/** The address that a mail carries. The origin is the configured one. */
export const ticketUrl = (publicUrl: string, uuid: string, salt: string): string =>
  new URL(`/ticket/${uuid}-${salt}`, publicUrl).href;

/** Parses `{uuid}-{salt}`; null if malformed. */
export function readTicketLink(link: string): { uuid: string; saltHash: string } | null {
  const [, uuid, salt] = LINK.exec(link.toLowerCase()) ?? [];
  return uuid === undefined || salt === undefined ? null : { uuid, saltHash: tokenHash(salt) };
}
