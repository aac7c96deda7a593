import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

const OLDEST = 17;

/** The path of Java 17 or later. Installs Debian's package when run as root, and otherwise throws an error that says what is missing. */
export function findJava(): string {
  const found = installedJava();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    for (const args of [["update"], ["install", "-y", "--no-install-recommends", "default-jdk-headless"]])
      spawnSync("apt-get", args, { stdio: "ignore", env });
    const installed = installedJava();
    if (installed) return installed;
  }
  throw new Error(`The Kotlin tests need Java ${OLDEST} or later: install a JDK, or set JAVA_HOME.`);
}

function installedJava(): string | undefined {
  const home = process.env["JAVA_HOME"];
  return [...(home ? [path.join(home, "bin/java")] : []), "java", "/usr/bin/java"].find(isNewEnough);
}

function isNewEnough(java: string): boolean {
  // `openjdk version "17.0.15" 2025-04-15`; Java 8 and before say "1.8".
  const { stderr } = spawnSync(java, ["-version"], { encoding: "utf8" });
  return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0) >= OLDEST;
}
