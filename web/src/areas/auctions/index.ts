export const loadRequestsPage = () => import("./pages/requests-page.tsx");
export const loadAuctionPage = () => import("./pages/auction-page.tsx");
export { readAuctionAddress } from "./auction-address.ts";
export { readRequestsAddress } from "./requests-address.ts";
