import type { Manager, Profile, SubUser } from "@millrace/contract";

/** An owner with apps and campaigns, without an authenticator and alone in the account. */
export const someProfile = (change: Partial<Profile> = {}): Profile => ({
  uuid: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
  email: "owner@example.com",
  name: "Ada",
  surname: "",
  extra: { phone: "", days_left: null },
  balance_days_left_available: null,
  balance_days_options: [1, 3, 7].map((days) => ({ days, below: null })),
  is_subscribed: true,
  week_start_on_sunday: false,
  access_token: null,
  sub_users: [],
  managers: [],
  accounts: [],
  has_mailbox: true,
  has_password: true,
  has_authenticator: false,
  recovery_codes_left: 0,
  owed: { earned: 0, prepaid: 0 },
  export: null,
  role: "owner",
  roles: {
    can_apps: true,
    can_campaign: true,
    manager_apps: false,
    admin_apps: false,
    is_subuser: false,
    is_subdev: false,
    is_super_manager: true,
    can_guest: true,
  },
  is_normal_user: true,
  is_switched: false,
  has_all_apps: true,
  need_verify_otp: false,
  admin_apps: false,
  ...change,
});

export const GUEST: SubUser = {
  uuid: "00000000-0000-4000-8000-000000000001",
  email: "gst-0a1b2c3d@users.millrace.invalid",
  name: "Guest",
  role_code: "GST",
  salt: null,
  state: "active",
  invitation: null,
  app_ids: null,
  has_mailbox: false,
  revision: "guest-1",
};

export const INVITED: SubUser = {
  uuid: "00000000-0000-4000-8000-000000000003",
  email: "dev@example.com",
  name: "Dee",
  role_code: "SDEV",
  salt: null,
  state: "invited",
  invitation: { invited_at: "2026-11-19T10:00:00.000Z", expires_at: "2026-11-26T10:00:00.000Z" },
  app_ids: null,
  has_mailbox: true,
  revision: "invited-1",
};

export const MANAGER: Manager = {
  uuid: "00000000-0000-4000-8000-000000000002",
  email: "manager@example.com",
  name: "Grace",
  is_super_manager: false,
  state: "active",
  invitation: null,
  app_ids: null,
  revision: "manager-1",
};
