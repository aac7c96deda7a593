export { list } from "../areas/payments/index.ts";
