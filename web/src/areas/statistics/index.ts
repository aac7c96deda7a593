export { AppPerformancePage } from "./pages/app-performance-page.tsx";
export { PublisherPerformancePage } from "./pages/publisher-performance-page.tsx";
