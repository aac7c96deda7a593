import type { TestProject } from "vitest/node";
import { startPlatform, type Platform } from "./start-platform.ts";

declare module "vitest" {
  export interface ProvidedContext {
    platform: Platform;
  }
}

/** One platform for all browser tests: they meet it as people and devices do, beside each other. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { platform, stop } = await startPlatform();
  project.provide("platform", platform);
  return stop;
}
