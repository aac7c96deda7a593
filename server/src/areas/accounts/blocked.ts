import { Problem } from "../../platform/http/problem.ts";

/** What is told to whoever has proved to be somebody that is kept out. */
export const blocked = (): Problem => new Problem("forbidden", "This account is blocked. Please contact support");
