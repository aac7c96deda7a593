import { expect, test } from "vitest";
import { appNames } from "./app-names.ts";

test("an app is labelled with its name, and with its platform if another app has the same name", () => {
  const names = appNames([
    { app_id: 1, name: "Tide Puzzle", platform: "android" },
    { app_id: 2, name: "Star Lanes", platform: "ios" },
    { app_id: 3, name: "Tide Puzzle", platform: "ios" },
  ]);
  expect([...names]).toEqual([
    [1, "Tide Puzzle, Android"],
    [2, "Star Lanes"],
    [3, "Tide Puzzle, iOS"],
  ]);
});

test("a deleted app is marked, and is told apart from one of the same name by that", () => {
  const names = appNames([
    { app_id: 1, name: "Tide Puzzle", platform: "ios", deleted: true },
    { app_id: 2, name: "Tide Puzzle", platform: "ios" },
    { app_id: 3, name: "Star Lanes", platform: "ios", deleted: true },
    { app_id: 4, name: "Star Lanes", platform: "android", deleted: true },
  ]);
  expect([...names.values()]).toEqual([
    "Tide Puzzle (deleted)",
    "Tide Puzzle",
    "Star Lanes, iOS (deleted)",
    "Star Lanes, Android (deleted)",
  ]);
});
