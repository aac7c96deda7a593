import { CALLS } from "@millrace/contract";
import type { FastifyInstance } from "fastify";
import { existsSync } from "node:fs";
import type { Registry } from "prom-client";
import { PLACES } from "./places.ts";
import type { Area } from "./platform/area.ts";
import { serveApiDocs } from "./platform/http/api-docs.ts";
import { serveStoredFiles } from "./platform/files/serve-stored-files.ts";
import type { StoredFiles } from "./platform/files/stored-files.ts";
import { buildServer } from "./platform/http/build-server.ts";
import { callLimits } from "./platform/http/call-limits.ts";
import { guardOperatorPages } from "./platform/http/guard-operator-pages.ts";
import { type Check, type Processes, serveHealth } from "./platform/http/health.ts";
import {
  FRAME_HEADERS,
  ARCHIVE_HEADERS,
  PACKAGE_HEADERS,
  type PageSources,
  SDK_HEADERS,
  demoPageHeaders,
} from "./platform/http/secure-headers.ts";
import type { Authenticate } from "./platform/http/caller.ts";
import { serveFiles } from "./platform/http/serve-files.ts";
import { serveHelp } from "./platform/http/help-pages.ts";
import { serveWebPages } from "./platform/http/web-pages.ts";
import type { Log } from "./platform/log.ts";
import type { Roles } from "./roles.ts";

/** The HTTP side of a process: its areas' routes, and by its roles the pages, the SDK's files, health and documentation. */
export async function buildApp(deps: {
  areas: readonly Area[];
  roles: Roles;
  /** Uploads, which are served to everybody. */
  files: StoredFiles;
  authenticate: Authenticate;
  /** Of what several processes share, and of what this one has for itself. */
  checks: Record<string, Check>;
  ownChecks: Record<string, Check>;
  metrics: Registry;
  /** Of a platform with several. */
  processes: Processes | undefined;
  publicUrl: string;
  trustedProxies: number;
  /** The socket of the process that answers what this one does not. */
  forwardTo: string | undefined;
  /** Dashboard calls per user and minute. */
  callsPerMinute: number;
  /** Closes the operator's pages; unset, they are open. */
  metricsToken: string | undefined;
  /** Serves the demo's page. */
  demo: boolean;
  /** Other origins that pages may load from. */
  pageSources: PageSources;
  /** What is filled in on the landing page. */
  landing: (() => Promise<Readonly<Record<string, string>>>) | undefined;
  log: Log;
}): Promise<FastifyInstance> {
  const { log, trustedProxies, forwardTo, roles } = deps;
  const app = await buildServer({
    log,
    trustedProxies,
    authenticate: deps.authenticate,
    callLimits: callLimits(deps.callsPerMinute),
    forwardTo,
  });
  guardOperatorPages(app, deps.metricsToken);
  serveHealth(app, deps.checks, deps.metrics, { own: deps.ownChecks, processes: deps.processes });
  for (const area of deps.areas) area.routes(app);
  if (roles.has("exchange")) {
    await serveFiles(app, {
      prefix: "/sdk/",
      dir: PLACES.sdk,
      headers: sdkHeaders,
    });
  }
  if (!roles.has("dashboard")) return app;
  serveStoredFiles(app, deps.files);
  await serveApiDocs(app, CALLS, deps.publicUrl);
  if (deps.demo) {
    const pages = { "/demo/app": "index.html" };
    await serveFiles(app, {
      prefix: "/demo/",
      dir: PLACES.demoPage,
      headers: (file) => demoPageHeaders(file === "preview.html" ? "self" : "none"),
      pages,
    });
  }
  if (existsSync(PLACES.help)) await serveHelp(app, PLACES.help);
  // In development, pages come from the development server.
  if (existsSync(PLACES.web)) await serveWebPages(app, PLACES.web, deps.pageSources, deps.landing);
  return app;
}

function sdkHeaders(file: string): Readonly<Record<string, string>> {
  if (file === "frame.html") return FRAME_HEADERS;
  if (file.endsWith(".tgz")) return PACKAGE_HEADERS;
  return file.endsWith(".zip") ? ARCHIVE_HEADERS : SDK_HEADERS;
}
