import { expect, test } from "vitest";
import { nativeDevice } from "./native-device.ts";
import type { NativeModules } from "./native-modules.ts";

const Dimensions = { get: () => ({ width: 411.4, height: 914.3, scale: 2.625 }) };
const told = (Platform: NativeModules["Platform"], own = {}) => nativeDevice({ Platform, Dimensions }, own);

test("an Android device tells the version of its system by which campaigns choose it, not that of its API", () => {
  const Platform = { OS: "android", Version: 35, constants: { Version: 35, Release: "15", Model: "Pixel 9" } };
  expect(told(Platform)).toMatchObject({ os: "android", osv: "15" });
  expect(told(Platform, { osv: "16" })).toMatchObject({ osv: "16" });
  // Without the release nothing is told rather than a version that does not exist.
  expect(told({ OS: "android", Version: 35 }).osv).toBeUndefined();
});

test("an iPad is told apart from an iPhone", () => {
  const Platform = { OS: "ios", Version: "17.4", constants: { osVersion: "17.4", systemName: "iOS" } };
  expect(told({ ...Platform, isPad: true })).toMatchObject({ os: "ios", osv: "17.4", model: "iPad" });
  expect(told({ ...Platform, isPad: false }).model).toBeUndefined();
  expect(told({ ...Platform, isPad: true }, { model: "iPad13,1" })).toMatchObject({ model: "iPad13,1" });
  // An app that passes on what it knows may know nothing.
  expect(told({ ...Platform, isPad: true }, { os: undefined, model: undefined })).toMatchObject({
    os: "ios",
    model: "iPad",
  });
});
