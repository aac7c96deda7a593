import { readFileSync } from "node:fs";
import { start } from "../../../server/src/app.ts";

export const rank = [readFileSync, start];
