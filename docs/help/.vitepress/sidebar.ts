import type { DefaultTheme } from "vitepress";

const group = (text: string, pages: Readonly<Record<string, string>>): DefaultTheme.SidebarItem => ({
  text,
  items: Object.entries(pages).map(([link, title]) => ({ text: title, link })),
});

/** Every page of the help, in reading order; a test finds pages that are missing here. */
export const SIDEBAR: DefaultTheme.SidebarItem[] = [
  group("Start", {
    "/start/": "Get started",
    "/start/web-sdk": "The web SDK",
    "/start/roku": "The Roku SDK",
    "/account": "Your account",
    "/team-and-roles": "Team and roles",
    "/troubleshooting": "Troubleshooting",
  }),
  group("Publishers", {
    "/publishers/apps": "Apps, zones and settings",
    "/publishers/statistics": "Statistics",
    "/publishers/requests": "Requests and auctions",
    "/publishers/mediation": "Mediation",
    "/publishers/app-ads-txt": "app-ads.txt",
    "/publishers/rewards": "Rewards",
    "/publishers/revenue-webhook": "Revenue of each impression",
    "/publishers/debugger": "The debugger",
    "/publishers/cross-promotion": "Cross promotion",
    "/publishers/money": "Your money",
  }),
  group("Advertisers", {
    "/advertisers/campaigns": "Campaigns",
    "/advertisers/performance": "Performance and conversions",
    "/advertisers/postbacks": "Postbacks",
  }),
  group("Operators", {
    "/operators/first-days": "First days",
    "/operators/partners": "Demand partners",
    "/operators/money": "Money",
  }),
  group("Self-hosting", {
    "/self-hosting/settings": "Settings",
    "/self-hosting/proxies": "Proxies and HTTPS",
    "/self-hosting/stores": "Stores",
    "/self-hosting/several-processes": "Several processes",
    "/self-hosting/secret": "Changing the secret",
    "/self-hosting/backup": "Backup and restore",
    "/self-hosting/upgrading": "Upgrading",
    "/self-hosting/monitoring": "Monitoring",
  }),
  group("Reference", {
    "/reasons": "Reasons",
    "/not-counted": "Not counted",
    "/spending": "Spending of campaigns",
    "/metrics": "Figures",
    "/privacy": "Privacy signals",
    "/messages": "Messages",
    "/reporting-api": "Reporting API",
    "/api/": "All calls",
  }),
];
