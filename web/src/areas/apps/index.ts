// Each comes when it is opened; the frame of every page knows the way to the search, and carries none of the pages for it.
export const loadAppsPage = () => import("./pages/apps-page.tsx");
export const loadAppSearch = () => import("./parts/app-search.tsx");
export const loadSettingsPage = () => import("./pages/app-settings-page.tsx");
export const loadDspPage = () => import("./pages/app-dsp-page.tsx");
export const loadAppAdsPage = () => import("./pages/app-ads-page.tsx");
