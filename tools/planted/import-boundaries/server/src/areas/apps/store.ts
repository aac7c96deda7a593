import { start } from "../../app.ts";

export const save = start;
