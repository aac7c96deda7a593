export { list } from "../../src/areas/payments/index.ts";
