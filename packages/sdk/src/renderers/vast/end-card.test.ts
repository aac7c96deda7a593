// @vitest-environment jsdom
import { expect, test } from "vitest";
import { endCardOf } from "./end-card.ts";
import { readVast } from "./read-vast.ts";

/** The picture of the end card among companions of these modes and widths. */
function chosen(companions: string): string | null | undefined {
  const all = companions.replace(
    /(\S+):(\d+)/g,
    `<Companion width="$2" height="250" renderingMode="$1"><StaticResource creativeType="image/png">https://cdn.test/$1</StaticResource></Companion>`,
  );
  const creatives = `<Creatives><Creative><CompanionAds>${all}</CompanionAds></Creative></Creatives>`;
  return endCardOf(readVast(`<VAST version="4.2"><Ad><InLine>${creatives}</InLine></Ad></VAST>`).companions)?.image;
}

test("the end card is a companion that is meant for it, or else the largest that is not meant to be beside the video", () => {
  expect(chosen("concurrent:970 end-card:300 default:728")).toBe("https://cdn.test/end-card");
  expect(chosen("concurrent:970 default:728")).toBe("https://cdn.test/default");
  expect(chosen("concurrent:970")).toBeUndefined();
});
