import { z } from "zod";
import { SUB_USER_ROLES } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { AtRevision, ById, Done, OnceByKey, Revision, Uuid, always } from "./fields.ts";
import { Email, FirstName, NewPassword } from "./person-fields.ts";
import { TEXTS } from "./texts.ts";

const When = z.iso.datetime();

/** An invited person is `invited` until they open the mailed link. */
const Membership = {
  uuid: Uuid,
  email: z.string(),
  name: z.string(),
  state: z.enum(["active", "invited"]),
  /** The newest invitation that still waits, and when its link expires; null once the person is active. */
  invitation: z.object({ invited_at: When, expires_at: When }).nullable(),
  /** The chosen apps that the person sees, without deleted ones; null for all, future ones included. */
  app_ids: z.array(z.int()).nullable(),
  /** Covers the name, the apps, and the role or the right to add managers. */
  revision: Revision,
};

const MOST_CHOSEN_APPS = 1000;
/** Null chooses all apps. */
const AppIds = z.array(z.int().min(1)).min(1, TEXTS.chooseApps).max(MOST_CHOSEN_APPS).nullable();
/** The rights to run managers are of the whole account. */
const SUPER_HAS_ALL = always<{ is_super_manager?: boolean | undefined; app_ids?: number[] | null | undefined }>(
  ({ is_super_manager, app_ids }) => is_super_manager !== true || (app_ids ?? null) === null,
  "is_super_manager",
  TEXTS.superHasAllApps,
);

/**
 * A login under the account, limited by its role. Its e-mail is generated, or the person's own if they were invited by
 * mail. `salt` is its password, only returned when it is set.
 */
export const SubUser = z.object({
  ...Membership,
  role_code: z.enum(SUB_USER_ROLES),
  salt: z.string().nullable(),
  /** A person with their own e-mail chooses the password; nobody else can set it. */
  has_mailbox: z.boolean(),
});
export type SubUser = z.infer<typeof SubUser>;

/** A user with their own e-mail who runs the account with its owner. */
export const Manager = z.object({ ...Membership, is_super_manager: z.boolean() });
export type Manager = z.infer<typeof Manager>;

const RoleCode = z.enum(SUB_USER_ROLES, TEXTS.chooseRole);

export const addSubUser = defineCall({
  method: "POST",
  path: "/profile/guest/add",
  summary:
    "Create a sub-user with a role, named after it unless a name is given, once for each `key`. Its e-mail and password are generated, and the password is only in this reply; a call with the same key makes another one until the sub-user has signed in",
  access: "subUsers.manage",
  query: OnceByKey,
  body: z.strictObject({ role_code: RoleCode, name: FirstName.optional(), app_ids: AppIds.default(null) }),
  reply: SubUser,
});

export const inviteSubUser = defineCall({
  method: "POST",
  path: "/profile/guest/invite",
  summary:
    "Invite a sub-user by mail, who chooses a password with the mailed link. The reply does not reveal whether the e-mail has a login",
  access: "subUsers.manage",
  body: z.strictObject({ email: Email, name: FirstName, role_code: RoleCode, app_ids: AppIds.default(null) }),
  reply: SubUser,
});

export const editSubUser = defineCall({
  method: "POST",
  path: "/profile/guest/{id}/edit",
  summary:
    "Change a sub-user's role, name or apps, or generate a new password, which ends its sessions and unlinks its identity providers; with the `revision` that was read, only if nobody else has changed the sub-user since",
  access: "subUsers.manage",
  params: ById,
  query: AtRevision,
  body: z.strictObject({
    role_code: RoleCode.optional(),
    name: FirstName.optional(),
    app_ids: AppIds.optional(),
    new_password: z.literal(1).optional(),
  }),
  reply: SubUser,
});

export const deleteSubUser = defineCall({
  method: "POST",
  path: "/profile/guest/{id}/delete",
  summary: "Remove a sub-user and end its sessions, or withdraw an invitation",
  access: "subUsers.manage",
  params: ById,
  reply: Done,
});

export const addManager = defineCall({
  method: "POST",
  path: "/manager/add_manager",
  summary:
    "Invite a manager, who chooses a password with the mailed link. The reply does not reveal whether the e-mail has a login",
  access: "managers.manage",
  body: z
    .strictObject({
      email: Email,
      name: FirstName,
      /** Validated but ignored, because an inviter must not know another person's password. */
      password: NewPassword.optional(),
      is_super_manager: z.boolean().default(false),
      app_ids: AppIds.default(null),
    })
    .check(SUPER_HAS_ALL),
  reply: Manager,
});

export const editManager = defineCall({
  method: "POST",
  path: "/manager/{id}/edit",
  summary:
    "Change a manager's name or apps, or whether they may add managers; with the `revision` that was read, only if nobody else has changed the manager since",
  access: "managers.manage",
  params: ById,
  query: AtRevision,
  body: z
    .strictObject({ name: FirstName.optional(), is_super_manager: z.boolean().optional(), app_ids: AppIds.optional() })
    .check(SUPER_HAS_ALL),
  reply: Manager,
});

export const deleteManager = defineCall({
  method: "POST",
  path: "/manager/{id}/delete",
  summary: "Remove a manager and end their sessions, or withdraw an invitation",
  access: "managers.manage",
  params: ById,
  reply: Done,
});
