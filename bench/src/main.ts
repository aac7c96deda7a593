import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { auctionCpu } from "./auction-cpu.ts";
import { beacons } from "./beacons.ts";
import { budgets } from "./budgets.ts";
import { campaigns } from "./campaigns.ts";
import { configReload } from "./config-reload.ts";
import { dashboard } from "./dashboard.ts";
import { exchangeBudgets } from "./exchange-budgets.ts";
import { faults } from "./faults.ts";
import { freshness } from "./freshness.ts";
import { hostilePartner } from "./hostile-partner.ts";
import type { Measurement } from "./measurement.ts";
import { pacing } from "./pacing.ts";
import { pages } from "./pages.ts";
import { writeReport } from "./report.ts";
import { requests } from "./requests.ts";
import { sdkSize } from "./sdk-size.ts";
import { silentPartners } from "./silent-partners.ts";
import { startTime } from "./start-time.ts";

const MEASUREMENTS: readonly Measurement[] = [
  auctionCpu,
  silentPartners,
  hostilePartner,
  campaigns,
  configReload,
  beacons,
  dashboard,
  requests,
  freshness,
  pacing,
  sdkSize,
  pages,
  startTime,
  faults,
  budgets,
  exchangeBudgets,
];

const names = process.argv.slice(2);
const unknown = names.filter((name) => !MEASUREMENTS.some((each) => each.name === name));
if (unknown.length > 0) {
  console.error(
    `Unknown measurement: ${unknown.join(", ")}. Available: ${MEASUREMENTS.map(({ name }) => name).join(", ")}`,
  );
  process.exit(1);
}
const root = fileURLToPath(new URL("../..", import.meta.url));
const build = spawnSync(process.execPath, ["--import", "tsx", "tools/build.ts"], { cwd: root, stdio: "inherit" });
if (build.status !== 0) process.exit(build.status ?? 1);

for (const measurement of MEASUREMENTS) {
  if (names.length > 0 && !names.includes(measurement.name)) continue;
  console.log(`\n${measurement.title}`);
  const outcome = await measurement.run((line) => console.log(`  ${line}`));
  for (const { what, goal, measured, reached } of outcome.figures) {
    console.log(`  ${reached === false ? "NOT REACHED" : "ok"}: ${what}: ${measured} (goal ${goal})`);
  }
  await writeReport(MEASUREMENTS, measurement, outcome);
}
