export { apps } from "../areas/apps/index.ts";
