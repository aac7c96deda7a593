import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** It has no types. */
interface Store {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
const S3rver = createRequire(import.meta.url)("s3rver") as new (options: object) => Store;

/** Starts an S3-compatible store with the bucket `creatives`; it ends after the file's last test. */
export async function testBucket() {
  const dir = await mkdtemp(join(tmpdir(), "millrace-bucket-"));
  const store = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory: join(dir, "store"),
    configureBuckets: [{ name: "creatives" }],
  });
  const { port } = await store.run();
  afterAll(async () => {
    await store.close();
    await rm(dir, { recursive: true });
  });
  // The store knows this one key.
  const at = (bucket: string) => `http://S3RVER:S3RVER@127.0.0.1:${port}/${bucket}?region=eu-central-1`;
  return { at, url: at("creatives"), incoming: join(dir, "incoming") };
}
