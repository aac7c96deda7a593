export { save } from "../apps/store.ts";
