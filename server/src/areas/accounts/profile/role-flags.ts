import { type Holder, type Profile, SUB_USER_ROLES, mayUse } from "@millrace/contract";

export const isSubUser = (role: Holder["role"]): boolean => SUB_USER_ROLES.some((one) => one === role);

/** Whether a user manages the account's managers: the owner, and managers with that right. */
export const mayManageManagers = (holder: Holder, isSuper: boolean): boolean =>
  mayUse("managers.manage", holder) && (holder.role === "owner" || isSuper);

/** The flags that the profile page shows its blocks by. */
export const roleFlags = (holder: Holder, isSuper: boolean): Profile["roles"] => ({
  ...holder.roles,
  manager_apps: holder.role === "manager",
  admin_apps: holder.role === "admin",
  is_subuser: isSubUser(holder.role),
  is_subdev: holder.role === "SDEV",
  is_super_manager: mayManageManagers(holder, isSuper),
  can_guest: mayUse("subUsers.manage", holder),
});
