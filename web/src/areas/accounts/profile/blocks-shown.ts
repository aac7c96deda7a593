import { type Profile, mayUse } from "@millrace/contract";

/** Which blocks of the profile page its reader sees. */
export interface BlocksShown {
  accessToken: boolean;
  socialAccounts: boolean;
  authenticator: boolean;
  /** A sub-user's is made anew by the owner: no mail can reach a sub-user. */
  password: boolean;
  /** Opens the side of the product that the account lacks. */
  otherSide: boolean;
  managers: boolean;
  subUsers: boolean;
  personalData: boolean;
}

/** What the profile says of its person, and the table of rights besides: a block is shown where both let it. */
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
