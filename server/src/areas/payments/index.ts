export { campaignBalanceOf, campaignBalancesOf } from "./balances.ts";
export { refillCampaignBalance } from "./refill.ts";
