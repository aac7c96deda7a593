export { recordAct } from "./record-act.ts";
