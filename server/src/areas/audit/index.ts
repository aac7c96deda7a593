export { type Act, type By, recordAct } from "./record-act.ts";
