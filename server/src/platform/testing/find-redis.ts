import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const INSTALL_MS = 60_000;

/** Installs Debian's Redis if there is none and the tests run as root. */
export function provideRedis(): void {
  if (installedRedis() !== undefined || process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  // Without a network, the tests go on without it.
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "redis-server"]])
    spawnSync("apt-get", args, { stdio: "ignore", env, timeout: INSTALL_MS });
}

/** The path of a Redis or Valkey server. */
export function installedRedis(): string | undefined {
  const named = process.env["REDIS_PATH"];
  const folders = (process.env["PATH"] ?? "").split(delimiter).concat("/usr/bin", "/usr/local/bin");
  const places = ["redis-server", "valkey-server"].flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...(named === undefined ? [] : [named]), ...places].find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
