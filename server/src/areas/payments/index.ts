export { campaignBalanceOf } from "./balances.ts";
export { type Line, type Posting, bookPosting } from "./ledger.ts";
