import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder: two above both `server/src` and `server/dist`. */
const root = fileURLToPath(new URL("../..", import.meta.url));

/** The locations of the built parts and of the migrations, both from source and from the bundle. */
export const PLACES = {
  migrations: join(root, "server/migrations"),
  web: join(root, "web/dist"),
  help: join(root, "docs/help/dist"),
  sdk: join(root, "packages/sdk/dist"),
  demoPage: join(root, "demo/page/dist"),
} as const;
