export { campaignBalanceOf, campaignBalancesOf } from "./balances.ts";
export { type Refill, refillCampaignBalance } from "./refill.ts";
