export { CampaignsPage } from "./pages/campaigns-page.tsx";
