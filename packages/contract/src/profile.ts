import { z } from "zod";
import { ROLES, SIDES } from "./access.ts";
import { SOCIAL_SERVICES } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { ById, Done, Micros, Uuid } from "./fields.ts";
import { Manager, SubUser } from "./people.ts";
import { CODE_STEP, Email, FirstName, NewPassword, Phone, Surname } from "./person-fields.ts";

const When = z.iso.datetime();

/** The signed-in user's profile. Data that the role may not see is empty. */
export const Profile = z.object({
  uuid: Uuid,
  email: z.string(),
  name: z.string(),
  surname: z.string(),
  extra: z.object({ phone: z.string(), days_left: z.int().nullable() }),
  /** How many days the campaign balance lasts at the recent spend; null if nothing was spent. */
  balance_days_left_available: z.number().min(0).nullable(),
  /** Each with the balance below which the mail is sent at the recent spend. None for those who get no such mail. */
  balance_days_options: z.array(z.object({ days: z.int(), below: Micros.nullable() })),
  is_subscribed: z.boolean(),
  week_start_on_sunday: z.boolean(),
  /** The token itself is only shown when it is created. */
  access_token: z.object({ hint: z.string(), created_at: When, last_used_at: When.nullable() }).nullable(),
  sub_users: z.array(SubUser),
  managers: z.array(Manager),
  /**
   * The identity providers that are offered or linked, each with the e-mail that it has reported.
   */
  accounts: z.array(z.object({ service: z.enum(SOCIAL_SERVICES), linked: z.boolean(), email: z.string().nullable() })),
  /** False for a sub-user with a generated e-mail, whose password the owner sets. */
  has_mailbox: z.boolean(),
  has_password: z.boolean(),
  has_authenticator: z.boolean(),
  recovery_codes_left: z.int(),
  /**
   * What is still owed to the account: earned by its apps, booked up to yesterday and not in a payment yet, and prepaid for its campaigns.
   * Deleting the account gives it up. Zero for those who cannot delete it. A payment that is on its way is still made after the deletion,
   * but nothing pays it again if it comes back; left out if there is none.
   */
  owed: z.object({ earned: Micros, prepaid: Micros, on_its_way: Micros.optional() }),
  export: z
    .object({ uuid: Uuid, state: z.enum(["working", "ready", "failed"]), created_at: When, expires_at: When })
    .nullable(),
  role: z.enum(ROLES),
  roles: z.object({
    can_apps: z.boolean(),
    can_campaign: z.boolean(),
    manager_apps: z.boolean(),
    admin_apps: z.boolean(),
    is_subuser: z.boolean(),
    is_subdev: z.boolean(),
    is_super_manager: z.boolean(),
    can_guest: z.boolean(),
  }),
  is_normal_user: z.boolean(),
  is_switched: z.boolean(),
  has_all_apps: z.boolean(),
  need_verify_otp: z.boolean(),
  admin_apps: z.boolean(),
});
export type Profile = z.infer<typeof Profile>;

export const profile = defineCall({
  method: "GET",
  path: "/profile.json",
  summary: "Get the signed-in user's profile",
  access: "profile.manage",
  reply: Profile,
});

const Edit = <N extends string, S extends z.ZodType>(name: N, value: S) =>
  z.strictObject({ name: z.literal(name), value });

export const editProfile = defineCall({
  method: "POST",
  path: "/profile/edit.json",
  summary: "Save one field of the profile. A new password takes effect when the mailed link is opened",
  access: "profile.manage",
  body: z.discriminatedUnion("name", [
    Edit("name", FirstName),
    Edit("surname", Surname),
    Edit("phone", Phone),
    Edit("password", NewPassword),
    Edit("days_left", z.int().min(1).max(365).nullable()),
    Edit("is_subscribed", z.boolean()),
    Edit("week_start_on_sunday", z.boolean()),
  ]),
  reply: z.object({ message: z.string() }),
});

export const openSide = defineCall({
  method: "POST",
  path: "/profile/sides",
  summary: "Open the other side of the product, apps or campaigns, for the account permanently",
  access: "sides.open",
  body: z.strictObject({ side: z.enum(SIDES) }),
  reply: Done,
});

export const makeAccessToken = defineCall({
  method: "POST",
  path: "/profile/access_token",
  summary: "Create or replace the account's access token, for `Authorization: Bearer` in reporting calls",
  access: "accessToken.manage",
  reply: z.object({ access_token: z.string() }),
});

export const revokeAccessToken = defineCall({
  method: "DELETE",
  path: "/profile/access_token",
  summary: "Revoke the account's access token",
  access: "accessToken.manage",
  reply: Done,
});

export const exportPersonalData = defineCall({
  method: "POST",
  path: "/profile/export_data",
  summary: "Export all personal data. A mail says when it can be downloaded",
  access: "personalData.manage",
  reply: z.object({ message: z.string() }),
});

export const downloadPersonalData = defineCall({
  method: "GET",
  path: "/profile/exports/{id}.json",
  summary: "Download an export of personal data as JSON, within seven days",
  access: "personalData.manage",
  params: ById,
  reply: z.record(z.string(), z.unknown()),
});

export const deleteAccount = defineCall({
  method: "POST",
  path: "/profile/delete_account",
  summary:
    "Delete the account and all its personal data, with the e-mail, and password and code if there are any, as proof",
  access: "personalData.manage",
  body: z.strictObject({
    email: Email,
    password: z.string().max(128).optional(),
    ...CODE_STEP,
    /** Needed while the account is owed anything, or a payment is on its way. */
    give_up: z.boolean().optional(),
  }),
  reply: z.object({ ok: z.literal(1), redirect_uri: z.string() }),
});
