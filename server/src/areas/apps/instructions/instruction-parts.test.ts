import { PLATFORMS } from "@millrace/contract";
import { expect, test } from "vitest";
import { instructionPage } from "./instruction-page.ts";
import { instructionParts } from "./instruction-parts.ts";

const FACTS = { key: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", publicUrl: "https://ads.example.com" };

test("packages are shown where they work, with the app's key and the platform's own address to install them from", () => {
  const texts = new Map(
    instructionParts(FACTS, "android", []).map(({ id, steps }) => [id, JSON.stringify(steps.map(({ code }) => code))]),
  );
  const offered = (name: string) =>
    PLATFORMS.filter((id) => texts.get(id)?.includes(`npm install https://ads.example.com/sdk/${name}.tgz`));
  expect(offered("react")).toEqual(["others"]);
  expect(offered("react-native")).toEqual(["android", "ios"]);
  expect(offered("capacitor")).toEqual(["android", "ios"]);
  expect(PLATFORMS.filter((id) => texts.get(id)?.includes("m.ads.callFunc"))).toEqual(["roku"]);
  for (const [id, text] of texts) if (PLATFORMS.some((platform) => platform === id)) expect(text).toContain(FACTS.key);
});

test("links of the steps leave the frame", () => {
  const app = { uuid: FACTS.key, name: "Tide", platform: "tvos", moderation: "live" } as const;
  const html = instructionPage({ app, publicUrl: FACTS.publicUrl, bidders: [], fontPath: null, nonce: "n" });
  expect(html).toContain(`<a href="/help/api/exchange" data-leave>The exchange&#39;s calls</a>`);
  expect(html).not.toContain("](/");
});
