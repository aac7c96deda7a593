import { expect, test } from "vitest";
import { type AnnotatedAction, annotationText } from "./annotation-text.ts";

const say = (action: AnnotatedAction, details: unknown) =>
  annotationText(action, details, (id) => (id === "aurora" ? "Aurora Exchange" : id));
const floor = (country: string | null, format: string | null, micros: number) => ({ country, format, floor: micros });
const change = (added: unknown[], removed: unknown[]) => ({
  added,
  added_count: added.length,
  removed,
  removed_count: removed.length,
});

test.each<[AnnotatedAction, unknown, string]>([
  ["app_floors_set", change([floor("DE", null, 2_310_000)], []), "Floor DE $2.31"],
  ["app_floors_set", change([floor("DE", null, 2_310_000)], [floor("DE", null, 1_000_000)]), "Floor DE $2.31"],
  ["app_floors_set", change([floor(null, "rewarded", 49_500)], []), "Floor Rewarded video $0.0495"],
  ["app_floors_set", change([floor(null, null, 10_000)], []), "Floor $0.01"],
  ["app_floors_set", change([], [floor("DE", "banner", 1_000_000)]), "Floor DE Banner removed"],
  ["app_floors_set", change([floor("DE", null, 1)], [floor("US", null, 1)]), "2 floors changed"],
  ["app_floors_set", { ...change([floor("DE", null, 1)], []), added_count: 40 }, "40 floors changed"],
  ["app_blocks_set", { domains: change(["shop.example"], []) }, "shop.example blocked"],
  [
    "app_blocks_set",
    { domains: change(["a.example", "b.example"], []), categories: change([], ["IAB7"]) },
    "2 domains blocked, IAB7 unblocked",
  ],
  ["partner_keys_set", { partner: "aurora", format: "banner" }, "Aurora Exchange Banner keys set"],
  ["partner_keys_removed", { partner: "borealis", format: "video" }, "borealis Video keys removed"],
  ["app_partner_switched", { partner: "aurora", enabled: false }, "Aurora Exchange off"],
  ["app_flags_set", { kids: true, only_image: false }, "For children on, Image ads only off"],
  ["app_muted", { muted: true }, "Muted ads on"],
])("%s of %j reads %s", (action, details, text) => {
  expect(say(action, details)).toBe(text);
});

test.each<[AnnotatedAction, unknown, string]>([
  ["app_floors_set", {}, "Floors changed"],
  ["app_blocks_set", null, "Blocks changed"],
  ["partner_keys_set", { partner: 7 }, "A partner's keys changed"],
  ["app_partner_switched", "off", "A partner switched on or off"],
  ["app_automatic_floors_switched", { enabled: true }, "Automatic floors on"],
  ["app_automatic_floors_switched", {}, "Floors changed"],
  ["app_learning_set", { skip_partners: true }, "Skipping of partners on"],
  ["app_learning_set", { exploration: 20 }, "Exploration 20%"],
  ["app_flags_set", { unknown: true }, "Flags changed"],
])("%s with details of another shape, %j, reads %s", (action, details, text) => {
  expect(say(action, details)).toBe(text);
});
