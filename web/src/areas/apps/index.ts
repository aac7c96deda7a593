export { AppsPage } from "./pages/apps-page.tsx";
export { AppSearch } from "./parts/app-search.tsx";
