import { TEXTS } from "@millrace/contract";
import { Problem } from "../../platform/http/problem.ts";

/** The refusal of a blocked user who has proven who they are. */
export const blocked = (): Problem => new Problem("forbidden", TEXTS.blocked);
