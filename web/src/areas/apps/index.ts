// Separate chunks, so that the shell can include the search without loading the pages.
export const loadAppsPage = () => import("./pages/apps-page.tsx");
export const loadAppSearch = () => import("./parts/app-search.tsx");
export const loadSettingsPage = () => import("./pages/app-settings-page.tsx");
export const loadMediationPage = () => import("./pages/app-mediation-page.tsx");
export const loadZonesPage = () => import("./pages/app-zones-page.tsx");
export const loadDspPage = () => import("./pages/app-dsp-page.tsx");
export const loadAppAdsPage = () => import("./pages/app-ads-page.tsx");
