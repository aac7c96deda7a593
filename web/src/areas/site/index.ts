export { LandingPage } from "./pages/landing-page.tsx";
export { NotFoundNote, NotFoundPage } from "./pages/not-found-page.tsx";

// The small print comes when it is read.
export const loadLegalPages = () => import("./pages/legal-pages.tsx");
