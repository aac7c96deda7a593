import { Problem } from "../../platform/http/problem.ts";

/** The refusal of a blocked user who has proven who they are. */
export const blocked = (): Problem => new Problem("forbidden", "This account is blocked. Please contact support");
