export { eraseJobs } from "./erase-jobs.ts";
export { type Jobs, openJobs } from "./jobs.ts";
