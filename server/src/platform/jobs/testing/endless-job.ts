import { z } from "zod";
import { silentLog } from "../../log.ts";
import { connectPostgres } from "../../postgres/connect-postgres.ts";
import { openJobs } from "../index.ts";

// A platform that is killed during a job; started by jobs.test.ts with the store's address.
const { pool } = connectPostgres(process.argv[2] ?? "", { max: 3 });
const jobs = openJobs({ pool, log: silentLog });
const run = async () => {
  process.stdout.write("running\n");
  await new Promise((resolve) => {
    setTimeout(resolve, 3_600_000);
  });
};
jobs.define("endless", z.object({ note: z.string() }), run, { retryDelaySeconds: 1 });
await jobs.start();
await jobs.send("endless", { note: "from the killed" });
