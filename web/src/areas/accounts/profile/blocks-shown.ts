import { type Profile, mayUse } from "@millrace/contract";

/** The blocks of the profile page that the user sees. */
export interface BlocksShown {
  accessToken: boolean;
  socialAccounts: boolean;
  authenticator: boolean;
  /** The owner resets the password of a sub-user without a mailbox. */
  password: boolean;
  /** Opens the side of the product that the account does not have. */
  otherSide: boolean;
  /** On the team page, which the profile leads to if it has one of them. */
  managers: boolean;
  subUsers: boolean;
  personalData: boolean;
}

/** A block is shown if both the profile's flags and the table of rights allow it. */
export function blocksShown(profile: Profile): BlocksShown {
  const { roles, is_switched, is_normal_user, has_mailbox } = profile;
  const { admin_apps, manager_apps, is_subuser, is_subdev } = roles;
  const standsAlone = !admin_apps && !manager_apps && !is_subuser && !is_subdev;
  const managesCredentials = !is_switched && mayUse("credentials.manage", profile);
  return {
    accessToken: standsAlone && mayUse("accessToken.manage", profile),
    socialAccounts: managesCredentials,
    authenticator: managesCredentials,
    password: managesCredentials && has_mailbox,
    otherSide: mayUse("sides.open", profile) && !(roles.can_apps && roles.can_campaign),
    managers: roles.is_super_manager && mayUse("managers.manage", profile),
    subUsers: roles.can_guest && standsAlone && mayUse("subUsers.manage", profile),
    personalData: is_normal_user && mayUse("personalData.manage", profile),
  };
}
