export { MOST_ENTRIES, fieldChange, listChange } from "./list-change.ts";
export { type ReadAct, readActs } from "./read-acts.ts";
export { type Act, type By, recordAct } from "./record-act.ts";
