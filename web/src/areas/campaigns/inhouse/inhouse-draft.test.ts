import type { InhouseApp } from "@millrace/contract";
import { expect, test } from "vitest";
import { newInhouse, promoting } from "./inhouse-draft.ts";

const tide = {
  uuid: "00000000-0000-4000-8000-000000000001",
  name: "Tide",
  bundle_id: "com.example.tide",
  platform: "android",
  url: "https://store.example/tide",
} as InhouseApp;

test("the promoted app fills in its id and its address, unless others were entered", () => {
  const chosen = { ...newInhouse(), ...promoting(newInhouse(), tide, undefined) };
  expect([chosen.store_id, chosen.target_url]).toEqual(["com.example.tide", "https://store.example/tide"]);
  const entered = { ...chosen, target_url: "https://track.example/" };
  const moss = { ...tide, bundle_id: "com.example.moss", url: "https://store.example/moss" };
  expect(promoting(entered, moss, tide)).toEqual({ ad_app_id: tide.uuid, store_id: "com.example.moss" });
});

test("an address that is too long for the field is not cut short", () => {
  const long = { ...tide, url: `https://store.example/${"tide/".repeat(30)}` };
  expect(promoting(newInhouse(), long, undefined).target_url).toBe("");
});
