import { expect, test } from "vitest";
import { nativeStorage } from "./native-storage.ts";
import { asyncStorage } from "./testing/open-native.ts";

test("an entry that cannot be read costs none of the others", async () => {
  const device = asyncStorage(
    new Map([
      ["millrace.beacon.1", "too large"],
      ["millrace.install", "5f0c"],
      ["their.own", "kept"],
    ]),
  );
  const { getItem } = device;
  device.getItem = async (key) => {
    // As Android does for an entry of more than 2 MB.
    if (key === "millrace.beacon.1") throw new Error("Row too big to fit into CursorWindow");
    return getItem(key);
  };
  const storage = nativeStorage(device);
  await storage.load();
  expect([storage.keys(), storage.get("millrace.install")]).toEqual([["millrace.install"], "5f0c"]);
});
