/** Every page's address, as the router takes it. */
export const PATHS = {
  landing: "/",
  login: "/login",
  logout: "/logout",
  apps: "/apps",
  appPerformance: "/apps/$uuid/performance",
  campaigns: "/campaign",
} as const;
