import { type Format, demoConfig } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import type { Pool } from "pg";
import { trustDemoDevices } from "./demo-devices.ts";
import { type DemoMailbox, demoMailboxRoutes } from "./demo-mailbox.ts";
import type { Area } from "./platform/area.ts";
import { Problem } from "./platform/http/problem.ts";
import { serve } from "./platform/http/serve.ts";

/** The data of the demo's page, a demo app to show ads in, and the demo's mailbox. */
export const demoArea = (deps: {
  pool: Pool;
  /** Unset if mails are sent. */
  mailbox: DemoMailbox | undefined;
  /** Proves that a request comes from the demo's devices. */
  deviceKey: string;
}): Area => ({
  name: "demo",
  routes: (app) => {
    trustDemoDevices(app, deps.deviceKey);
    demoRoutes(app, deps.pool);
    demoMailboxRoutes(app, deps.mailbox);
  },
});

function demoRoutes(app: FastifyInstance, pool: Pool): void {
  serve(app, demoConfig, async () => {
    const { rows } = await pool.query<{ uuid: string; name: string; zones: { zone: string; format: Format }[] }>(
      `SELECT a.uuid, a.name,
              COALESCE(json_agg(json_build_object('zone', z.zone, 'format', z.format) ORDER BY z.zone)
                       FILTER (WHERE z.zone IS NOT NULL), '[]') AS zones
       FROM apps a LEFT JOIN zones z ON z.app_id = a.id
       WHERE a.demo AND a.deleted_at IS NULL AND a.platform = 'android'
       GROUP BY a.id ORDER BY a.id LIMIT 1`,
    );
    const found = rows[0];
    if (!found) throw new Problem("not_found", "This platform does not run a demo");
    return { app: found.uuid, name: found.name, zones: found.zones };
  });
}
