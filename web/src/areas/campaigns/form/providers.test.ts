import { expect, test } from "vitest";
import { PROVIDERS, postbackFor, withParameters } from "./providers.ts";

test("a provider's parameters are added to its link once, and those that it has stay", () => {
  for (const provider of PROVIDERS) {
    const link = withParameters("https://track.example/abc?pid=mine", provider);
    expect(link.startsWith("https://track.example/abc?pid=mine&")).toBe(true);
    expect(link).toContain("{click_id}");
    expect(withParameters(link, provider)).toBe(link);
  }
  const [appsflyer] = PROVIDERS;
  if (!appsflyer) throw new Error("there are providers");
  expect(withParameters("https://t.example/a?c=Own#top", appsflyer)).toBe(
    "https://t.example/a?c=Own&clickid={click_id}&af_siteid={app_bundle}&af_ad_id={creative_id}#top",
  );
  expect(withParameters("https://t.example/a", appsflyer)).toMatch(/^https:\/\/t\.example\/a\?clickid=/);
  expect(withParameters("no address", appsflyer)).toBe("no address");
});

test("a postback's address has the provider's macros and the secret", () => {
  expect(postbackFor("https://ads.example/postback/1", "s3", { click_id: "{cl?N}", event: "{EVTNAME}" })).toBe(
    "https://ads.example/postback/1?click_id={cl?N}&event={EVTNAME}&secret=s3",
  );
});
