export { Support } from "./parts/support.tsx";

export const loadSupportPage = () => import("./pages/support-page.tsx");
