export const loadAppPage = () => import("./pages/app-performance-page.tsx");
export const loadPublisherPage = () => import("./pages/publisher-performance-page.tsx");
export const loadCampaignPage = () => import("./campaigns/campaign-performance-page.tsx");
export { readCampaignStatsAddress, writeCampaignStatsAddress } from "./campaigns/campaign-address.ts";
