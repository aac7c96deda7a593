import { type Profile, mayUse } from "@millrace/contract";

/** The blocks of the profile page that the user sees. */
export interface BlocksShown {
  accessToken: boolean;
  socialAccounts: boolean;
  authenticator: boolean;
  /** The owner resets a sub-user's password, because a sub-user has no mailbox. */
  password: boolean;
  /** Opens the side of the product that the account does not have. */
  otherSide: boolean;
  managers: boolean;
  subUsers: boolean;
  personalData: boolean;
}

/** A block is shown if both the profile's flags and the table of rights allow it. */
export function blocksShown(profile: Profile): BlocksShown {
  const { roles, is_switched, is_normal_user } = profile;
  const { admin_apps, manager_apps, is_subuser, is_subdev } = roles;
  const standsAlone = !admin_apps && !manager_apps && !is_subuser && !is_subdev;
  const managesCredentials = !is_switched && mayUse("credentials.manage", profile);
  return {
    accessToken: standsAlone && mayUse("accessToken.manage", profile),
    socialAccounts: managesCredentials,
    authenticator: managesCredentials,
    password: managesCredentials && !is_subuser && !is_subdev,
    otherSide: mayUse("sides.open", profile) && !(roles.can_apps && roles.can_campaign),
    managers: roles.is_super_manager && mayUse("managers.manage", profile),
    subUsers: roles.can_guest && standsAlone && mayUse("subUsers.manage", profile),
    personalData: is_normal_user && mayUse("personalData.manage", profile),
  };
}
