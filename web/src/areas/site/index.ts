export { NotFoundNote, NotFoundPage } from "./pages/not-found-page.tsx";

// Separate chunks, loaded only when such a page is opened.
export const loadLegalPages = () => import("./pages/legal-pages.tsx");
