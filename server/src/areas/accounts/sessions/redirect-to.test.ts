import fc from "fast-check";
import { expect, test } from "vitest";
import { safeRedirect } from "./redirect-to.ts";

test("a path of this origin keeps its query and hash", () => {
  expect(safeRedirect("/apps/7/performance?ds=2026-01-01#table", "/apps")).toBe(
    "/apps/7/performance?ds=2026-01-01#table",
  );
});

test.each([
  "https://evil.test/",
  "//evil.test",
  "/\\evil.test",
  "/.//evil.test",
  "/a/..//evil.test",
  "/\t/evil.test",
  "javascript:alert(1)",
  "",
  "apps",
  "/",
  "/login",
  "/login?redirect_to=%2Flogin",
  "/signup",
  "/password-recovery",
  "/logout",
])("%j redirects home", (wanted) => {
  expect(safeRedirect(wanted, "/apps")).toBe("/apps");
});

test("no requested redirect ever leaves this origin", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((text) => `/${text}`),
      ),
      (wanted) => {
        const target = safeRedirect(wanted, "/apps");
        expect(new URL(target, "https://millrace.test").origin).toBe("https://millrace.test");
      },
    ),
  );
});
