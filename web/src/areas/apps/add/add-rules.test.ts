import { PLATFORMS, addApp } from "@millrace/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { developmentFaults, fitting, foundFaults, isPhone, manualFaults, platformsOf } from "./add-rules.ts";

const said = (faults: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined));

test("an app in development requires a bundle id, except on four platforms that use a name", () => {
  const asks = PLATFORMS.map((platform) => [platform, said(developmentFaults({ platform }))] as const);
  const named = { name: "Your app name is required" };
  const bundled = { bundle_id: "Your bundle ID is required" };
  expect(Object.fromEntries(asks)).toEqual({
    android: bundled,
    ios: bundled,
    androidtv: bundled,
    tvos: bundled,
    others: bundled,
    roku: named,
    firetv: named,
    amazon: named,
    tizentv: named,
  });
  expect(said(developmentFaults({ platform: "ios", bundle_id: "com.example.a" }))).toEqual({});
  expect(said(developmentFaults({ platform: "roku", name: "A" }))).toEqual({});
  expect(said(developmentFaults({ platform: "ios", bundle_id: "   " }))).toEqual(bundled);
});

test("an app cannot be for children and for adults only", () => {
  const form = { platform: "ios", bundle_id: "a.b", kids: true, adult: true };
  const fault = { adult: "An app for children cannot be for adults only" };
  expect(said(developmentFaults(form))).toEqual(fault);
  expect(said(foundFaults({ ...form, item: "x" }))).toEqual(fault);
  expect(said(foundFaults({}))).toEqual({ item: "This field is required" });
});

test("an address determines the platforms of an app entered manually", () => {
  expect(platformsOf("id123456")).toEqual(["ios", "tvos"]);
  expect(platformsOf("https://apps.apple.com/us/app/id1")).toEqual(["ios", "tvos"]);
  expect(platformsOf("0123456789abcdef0123456789ABCDEF")).toEqual(["roku"]);
  expect(platformsOf("B012345678")).toEqual(["amazon", "firetv"]);
  expect(platformsOf("https://www.amazon.co.uk/dp/B012345678")).toEqual(["amazon", "firetv"]);
  expect(platformsOf("com.example.app")).toEqual(["android", "androidtv"]);
  expect(said(manualFaults({ platform: "ios", name: "A" }))).toEqual({ bundle_id: "Your bundle ID is required" });
  expect(said(manualFaults({ platform: "android", name: "A" }))).toEqual({});
});

test("only the fields shown for the platform are sent, and they match the call", () => {
  const flag = fc.boolean();
  const asked = fc.record({
    platform: fc.constantFrom(...PLATFORMS),
    name: fc.string({ maxLength: 100 }),
    bundle_id: fc.string({ maxLength: 200 }),
    is_gaming: fc.constantFrom(0, 1),
    only_image: flag,
    mute: flag,
    kids: flag,
    adult: flag,
  });
  fc.assert(
    fc.property(asked, (typed) => {
      const body = fitting({ type: "apps", dev: 1, ...typed }, typed.platform);
      expect(addApp.body.safeParse(body).success).toBe(true);
      if (!isPhone(typed.platform)) expect([body.mute, body.kids]).toEqual([false, false]);
      if (typed.platform !== "android") expect(body.is_gaming).toBe(0);
      if (["roku", "firetv", "amazon", "tizentv"].includes(typed.platform)) expect(body.bundle_id).toBeUndefined();
    }),
  );
});
