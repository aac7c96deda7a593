export { AppsPage } from "./pages/apps-page.tsx";
export { AppSearch } from "./parts/app-search.tsx";

// Each comes when it is opened: the list, which is the first page of most visits, needs none of them.
export const loadSettingsPage = () => import("./pages/app-settings-page.tsx");
export const loadDspPage = () => import("./pages/app-dsp-page.tsx");
export const loadAppAdsPage = () => import("./pages/app-ads-page.tsx");
