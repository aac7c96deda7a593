import * as accounts from "./accounts.ts";
import * as apps from "./apps.ts";
import type { Call } from "./define-call.ts";
import * as demo from "./demo.ts";
import * as exchange from "./exchange.ts";
import * as statistics from "./statistics.ts";

const isCall = (value: unknown): value is Call =>
  typeof value === "object" && value !== null && "method" in value && "path" in value && "access" in value;

/** Every call of the platform, by area: what the API page prints and what the server must serve, no more and no less. */
export const CALLS: Record<string, Call[]> = Object.fromEntries(
  Object.entries({ accounts, apps, statistics, exchange, demo }).map(([area, exported]) => [
    area,
    Object.values(exported).filter(isCall),
  ]),
);
