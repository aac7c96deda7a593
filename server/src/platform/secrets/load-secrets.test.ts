import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSecrets } from "./load-secrets.ts";

test("the secret is generated once in a private file, and the setting takes precedence", async () => {
  const dir = await mkdtemp(join(tmpdir(), "secrets-"));
  try {
    const first = await loadSecrets(dir, undefined);
    expect(first).toHaveLength(1);
    expect(first[0]?.length).toBeGreaterThanOrEqual(43);
    expect(await loadSecrets(dir, undefined)).toEqual(first);
    expect((await stat(join(dir, "secret"))).mode & 0o777).toBe(0o600);
    expect(await loadSecrets(dir, "newest, older")).toEqual(["newest", "older"]);
  } finally {
    await rm(dir, { recursive: true });
  }
});
