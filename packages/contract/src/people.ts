import { z } from "zod";
import { SUB_USER_ROLES } from "./constants.ts";
import { defineCall } from "./define-call.ts";
import { ById, Uuid } from "./fields.ts";
import { Email, FirstName, NewPassword } from "./person-fields.ts";
import { TEXTS } from "./texts.ts";

/** A login under the account. `salt`, its password, is only in the reply that set it. */
export const SubUser = z.object({
  uuid: Uuid,
  email: z.string(),
  name: z.string(),
  role_code: z.enum(SUB_USER_ROLES),
  salt: z.string().nullable(),
});
export type SubUser = z.infer<typeof SubUser>;

/**
 * A user with their own e-mail who runs the account along with its owner; `invited` until they open the mailed link.
 */
export const Manager = z.object({
  uuid: Uuid,
  email: z.string(),
  name: z.string(),
  is_super_manager: z.boolean(),
  state: z.enum(["active", "invited"]),
});
export type Manager = z.infer<typeof Manager>;

const RoleCode = z.enum(SUB_USER_ROLES, TEXTS.chooseRole);
const Done = z.object({ ok: z.literal(1) });

export const addSubUser = defineCall({
  method: "POST",
  path: "/profile/guest/add",
  summary:
    "Make a login with a role; its e-mail and password are made up, and the password is shown in this reply alone",
  access: "subUsers.manage",
  body: z.strictObject({ role_code: RoleCode }),
  reply: SubUser,
});

export const editSubUser = defineCall({
  method: "POST",
  path: "/profile/guest/{id}/edit",
  summary:
    "Give a sub-user another role, or a new password, which ends all of its sessions and unlinks its identity providers",
  access: "subUsers.manage",
  params: ById,
  body: z.strictObject({ role_code: RoleCode.optional(), new_password: z.literal(1).optional() }),
  reply: SubUser,
});

export const deleteSubUser = defineCall({
  method: "POST",
  path: "/profile/guest/{id}/delete",
  summary: "Remove a sub-user and end its sessions",
  access: "subUsers.manage",
  params: ById,
  reply: Done,
});

export const addManager = defineCall({
  method: "POST",
  path: "/manager/add_manager",
  summary:
    "Invite a manager, who chooses a password at the mailed link. The reply is the same whether the e-mail has a login here or not",
  access: "managers.manage",
  body: z.strictObject({
    email: Email,
    name: FirstName,
    /** Checked if sent, and ignored: an inviter must not know another person's password. */
    password: NewPassword.optional(),
    is_super_manager: z.boolean().default(false),
  }),
  reply: Manager,
});

export const editManager = defineCall({
  method: "POST",
  path: "/manager/{id}/edit",
  summary: "Change a manager's name, or the right to add managers",
  access: "managers.manage",
  params: ById,
  body: z.strictObject({ name: FirstName.optional(), is_super_manager: z.boolean().optional() }),
  reply: Manager,
});

export const deleteManager = defineCall({
  method: "POST",
  path: "/manager/{id}/delete",
  summary: "Take a manager's access away and end its sessions, or take an invitation back",
  access: "managers.manage",
  params: ById,
  reply: Done,
});
