export { LandingPage } from "./pages/landing-page.tsx";
export { NotFoundPage } from "./pages/not-found-page.tsx";
