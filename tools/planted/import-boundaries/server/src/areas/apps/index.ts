export { accounts } from "../accounts/index.ts";
export const apps = 1;
