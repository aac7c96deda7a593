// Separate chunks: the form is larger than the list, and most visits need only the list.
export const loadCampaignsPage = () => import("./pages/campaigns-page.tsx");
export const loadAddCampaign = () => import("./pages/add-campaign-page.tsx");
export const loadEditCampaign = () => import("./pages/edit-campaign-page.tsx");
export const loadInhousePage = () => import("./inhouse/inhouse-page.tsx");
export const loadAddInhouse = () => import("./inhouse/add-inhouse-page.tsx");
export const loadEditInhouse = () => import("./inhouse/edit-inhouse-page.tsx");
export { readCampaignsAddress, writeCampaignsAddress } from "./campaigns-address.ts";
