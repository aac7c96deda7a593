import { SOCIAL_SERVICES, type TicketType } from "@millrace/contract";
import { z } from "zod";

/** How long a link is good for. What changes a password that stands is short; an invited manager may be on holiday. */
export const TICKET_HOURS = {
  reset_pass: 1,
  change_pass: 1,
  sign_up: 24,
  manager: 7 * 24,
} as const satisfies Record<TicketType, number>;

/** What waits in a ticket until its link is used. Passwords are here as their hashes alone. */
export const PAYLOADS = {
  reset_pass: z.object({}),
  change_pass: z.object({ passwordHash: z.string() }),
  sign_up: z.object({
    name: z.string(),
    /** Null for somebody who signs in through a network alone. */
    passwordHash: z.string().nullable(),
    canApps: z.boolean(),
    canCampaign: z.boolean(),
    /** The version of the terms that was agreed to. */
    agreedVersion: z.int(),
    redirectTo: z.string().nullable(),
    /** The network's account that the sign-up began with. */
    identity: z.object({ service: z.enum(SOCIAL_SERVICES), subject: z.string() }).nullable(),
    /** The browser that signed up, by the hash of what it holds. In any other, what was chosen as a way in does not count. */
    bindingHash: z.string(),
  }),
  manager: z.object({ name: z.string(), isSuper: z.boolean() }),
} as const satisfies Record<TicketType, z.ZodType>;
export type Payload<T extends TicketType> = z.infer<(typeof PAYLOADS)[T]>;

/** A link that is wished for, by what it does. */
export type AskedTicket =
  | { type: "reset_pass"; email: string }
  | { type: "change_pass"; email: string; userId: number; payload: () => Promise<Payload<"change_pass">> }
  | { type: "sign_up"; email: string; payload: Payload<"sign_up"> }
  | { type: "manager"; email: string; accountId: number; payload: Payload<"manager"> };
