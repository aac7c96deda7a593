export { LandingPage } from "./pages/landing-page.tsx";
export { NotFoundNote, NotFoundPage } from "./pages/not-found-page.tsx";

// A separate chunk, loaded only when a legal page is opened.
export const loadLegalPages = () => import("./pages/legal-pages.tsx");
