// Separate chunks: the form is larger than the list, and most visits need only the list.
export const loadCampaignsPage = () => import("./pages/campaigns-page.tsx");
export const loadCampaignForm = () => import("./pages/campaign-form-pages.tsx");
export { readCampaignsAddress, writeCampaignsAddress } from "./campaigns-address.ts";
