export { readReportAddress } from "./report-address.ts";

/** The pages, each a chunk of its own. */
export const moneyPages = {
  balance: () => import("./balance-page.tsx"),
  cashouts: () => import("./cashouts-page.tsx"),
  deductions: () => import("./deductions-page.tsx"),
  payment: () => import("./payment-page.tsx"),
  report: () => import("./report-page.tsx"),
};
