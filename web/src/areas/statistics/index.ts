export const loadAppPage = () => import("./pages/app-performance-page.tsx");
export const loadPublisherPage = () => import("./pages/publisher-performance-page.tsx");
