import { z } from "zod";
import { defineCall } from "./define-call.ts";
import { always, ById, Uuid } from "./fields.ts";
import { PartnerId } from "./partners.ts";
import { TEXTS } from "./texts.ts";

/** An SDK's version, `major.minor.patch`, as one number: a newer version has a higher one. */
export const versionNumber = (version: string): number =>
  version.split(".").reduce((sum, part) => sum * 100_000 + Number(part), 0);

const SdkVersion = z
  .string()
  .trim()
  .regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/, "Use a version like 1.4.0")
  .nullable();

type Range = Partial<Record<"sdk_from" | "sdk_to", string | null>>;
/** Other values than texts have faults of their own. */
const isRange = ({ sdk_from: from, sdk_to: to }: Range) =>
  typeof from !== "string" || typeof to !== "string" || !(versionNumber(from) > versionNumber(to));

/** What is switched off: every condition must hold. An absent one holds for every request. */
const Conditions = z.strictObject({
  /** Null switches the SDK itself off: it drops its ads and stops asking. */
  partner: PartnerId.nullable(),
  /** An app's key. */
  app: Uuid.nullable(),
  /** SDK versions, both included. Requests of servers and players have none. */
  sdk_from: SdkVersion,
  sdk_to: SdkVersion,
  /** ISO 3166-1 alpha-2; empty for all. */
  countries: z.array(z.string().regex(/^[A-Z]{2}$/, "Use codes like DE")).max(300),
});

export const NewKillSwitch = Conditions.extend({ reason: z.string().trim().min(1, TEXTS.required).max(500) })
  .check(always<Range>(isRange, "sdk_to", "Use a version that is not below the first"))
  .check(
    always<Partial<z.input<typeof Conditions>>>(
      ({ partner = null, app = null, sdk_from: from = null, sdk_to: to = null, countries = [] }) =>
        partner !== null || app !== null || from !== null || to !== null || countries.length > 0,
      "app",
      "Name an app, versions or countries: otherwise nothing is sold at all",
    ),
  );

export const KillSwitch = Conditions.extend({
  id: Uuid,
  reason: z.string(),
  partner_name: z.string().nullable(),
  app_name: z.string().nullable(),
  created_at: z.iso.datetime(),
  /** E-mail addresses; null for people who have left. */
  created_by: z.string().nullable(),
  /** Null while it is in force. */
  ended_at: z.iso.datetime().nullable(),
  ended_by: z.string().nullable(),
});
export type KillSwitch = z.infer<typeof KillSwitch>;

const KillSwitches = z.object({
  /** Those in force first, then the last 100 that have ended. The newest first. */
  switches: z.array(KillSwitch),
});

export const killSwitches = defineCall({
  method: "GET",
  path: "/admin/kill_switches.json",
  summary: "List what is switched off now, and what was",
  access: "admin",
  reply: KillSwitches,
});

export const addKillSwitch = defineCall({
  method: "POST",
  path: "/admin/kill_switches.json",
  summary:
    "Switch a partner or the SDK off for an app, SDK versions and countries; every exchange follows within 5 seconds",
  access: "admin",
  body: NewKillSwitch,
  reply: KillSwitches,
});

export const endKillSwitch = defineCall({
  method: "POST",
  path: "/admin/kill_switches/{id}/end",
  summary: "End a kill switch; every exchange follows within 5 seconds",
  access: "admin",
  params: ById,
  reply: KillSwitches,
});
