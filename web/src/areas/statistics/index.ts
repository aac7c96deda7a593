export { AppPerformancePage } from "./pages/app-performance-page.tsx";
