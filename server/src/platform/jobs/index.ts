export { countJobs } from "./count-jobs.ts";
export { eraseJobs } from "./erase-jobs.ts";
export { type Jobs, hasJobSql, openJobs } from "./jobs.ts";
