import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSecrets } from "./load-secrets.ts";

const nothingSealed = () => Promise.resolve(false);
const somethingSealed = () => Promise.resolve(true);

test("the secret is generated once in a private file, and the setting takes precedence", async () => {
  const dir = await mkdtemp(join(tmpdir(), "secrets-"));
  try {
    const first = await loadSecrets(dir, undefined, nothingSealed);
    expect(first).toHaveLength(1);
    expect(first[0]?.length).toBeGreaterThanOrEqual(43);
    expect(await loadSecrets(dir, undefined, somethingSealed)).toEqual(first);
    expect((await stat(join(dir, "secret"))).mode & 0o777).toBe(0o600);
    expect(await loadSecrets(dir, "newest, older", somethingSealed)).toEqual(["newest", "older"]);
  } finally {
    await rm(dir, { recursive: true });
  }
});

test("no secret is generated beside values that a lost one has sealed", async () => {
  const dir = await mkdtemp(join(tmpdir(), "secrets-"));
  try {
    await expect(loadSecrets(dir, undefined, somethingSealed)).rejects.toThrow(`${join(dir, "secret")} is missing`);
    expect(await readdir(dir)).toEqual([]);
  } finally {
    await rm(dir, { recursive: true });
  }
});
