export { rank } from "../../auction/src/index.ts";
