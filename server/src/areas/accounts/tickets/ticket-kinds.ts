import { SOCIAL_SERVICES, SUB_USER_ROLES, type TicketType } from "@millrace/contract";
import { z } from "zod";

/**
 * How long a mailed link is valid. Links that change an existing password are short-lived; an invited manager may be on
 * holiday.
 */
export const TICKET_HOURS = {
  reset_pass: 1,
  change_pass: 1,
  sign_up: 24,
  manager: 7 * 24,
} as const satisfies Record<TicketType, number>;

/** What a ticket stores until its link is used. Passwords are stored only as hashes. */
export const PAYLOADS = {
  reset_pass: z.object({}),
  change_pass: z.object({ passwordHash: z.string() }),
  sign_up: z.object({
    name: z.string(),
    /** Null for a user who signs in only through an identity provider. */
    passwordHash: z.string().nullable(),
    canApps: z.boolean(),
    canCampaign: z.boolean(),
    /** The accepted version of the terms. */
    agreedVersion: z.int(),
    redirectTo: z.string().nullable(),
    /** The identity provider's account that the sign-up began with. */
    identity: z.object({ service: z.enum(SOCIAL_SERVICES), subject: z.string() }).nullable(),
    /**
     * The hash of the cookie of the browser that signed up. In any other browser the chosen password or identity is
     * dropped.
     */
    bindingHash: z.string(),
  }),
  manager: z.object({
    name: z.string(),
    isSuper: z.boolean(),
    /** The chosen apps; invitations without them are to all apps. */
    appIds: z.array(z.int()).nullable().default(null),
    /** The role in the account; invitations without one are to managers. */
    role: z.enum([...SUB_USER_ROLES, "manager"]).default("manager"),
  }),
} as const satisfies Record<TicketType, z.ZodType>;
export type Payload<T extends TicketType> = z.infer<(typeof PAYLOADS)[T]>;

/** The input of a requested link, by type. */
export type TicketInput =
  | { type: "reset_pass"; email: string }
  | { type: "change_pass"; email: string; userId: number; payload: () => Promise<Payload<"change_pass">> }
  | { type: "sign_up"; email: string; payload: Payload<"sign_up"> }
  | { type: "manager"; email: string; accountId: number; payload: z.input<(typeof PAYLOADS)["manager"]> };
