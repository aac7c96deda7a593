import { LINK_MACROS } from "@millrace/contract";
import { expect, test } from "vitest";
import { PROVIDERS, postbackFor, providerOf as providerOfLink, withParameters } from "./providers.ts";

const POSTBACK = "https://ads.example/postback/1";
const providerOf = (id: string) => PROVIDERS.find((one) => one.id === id) ?? expect.fail(`there is no ${id}`);

test("a provider's parameters are added to its link once, with macros of ours, and those that it has stay", () => {
  for (const provider of PROVIDERS) {
    const link = withParameters("https://track.example/abc?pid=mine", provider, POSTBACK);
    expect(link.startsWith("https://track.example/abc?pid=mine&")).toBe(true);
    expect(link).toContain("={click_id}");
    for (const [, macro = ""] of link.matchAll(/\{(\w+)\}/g)) expect(Object.keys(LINK_MACROS)).toContain(macro);
    expect(withParameters(link, provider, POSTBACK)).toBe(link);
  }
  const appsflyer = providerOf("appsflyer");
  expect(withParameters("https://t.example/a?c=Own#top", appsflyer, POSTBACK)).toBe(
    "https://t.example/a?c=Own&clickid={click_id}&af_siteid={app_bundle}&af_ad_id={creative_id}#top",
  );
  expect(withParameters("https://t.example/a", appsflyer, null)).toMatch(/^https:\/\/t\.example\/a\?clickid=/);
  expect(withParameters("https://t.example/a#/top#x", appsflyer, null)).toMatch(/#\/top#x$/);
  expect(withParameters("no address", appsflyer, POSTBACK)).toBe("no address");
});

test("Adjust's link says where its install is reported, signed for its click and without the secret", () => {
  const adjust = providerOf("adjust");
  const callback =
    "https%3A%2F%2Fads.example%2Fpostback%2F1%3Fclick_id%3D{click_id}%26event%3Dinstall%26signature%3D{install_signature}";
  const link = withParameters("https://app.adjust.com/abc", adjust, POSTBACK);
  expect(link.endsWith(`&click_id={click_id}&install_callback=${callback}`)).toBe(true);
  expect(new URL(link).searchParams.get("install_callback")).toBe(
    `${POSTBACK}?click_id={click_id}&event=install&signature={install_signature}`,
  );
  // Branded links have a name of their own for it. A new campaign has no address yet, and gets it later.
  expect(withParameters("https://own.go.link/abc", adjust, POSTBACK)).toContain(`&adj_install_callback=${callback}`);
  const early = withParameters("https://app.adjust.com/abc", adjust, null);
  expect(early).not.toContain("callback");
  expect(withParameters(early, adjust, POSTBACK)).toBe(link);
});

test("a postback's address has the provider's macros and the secret", () => {
  expect(postbackFor(POSTBACK, "s3", { click_id: "{cl?N}", event: "{EVTNAME}" })).toBe(
    "https://ads.example/postback/1?click_id={cl?N}&event={EVTNAME}&secret=s3",
  );
});

test("what a provider's documentation did not confirm is a name that its template has", () => {
  for (const { link, postback, unconfirmed } of PROVIDERS) {
    const names = [...link.map(([name]) => name), postback.click_id, postback.event];
    for (const name of unconfirmed) expect(names).toContain(name);
  }
});

test.each([
  ["https://app.appsflyer.com/com.example.tide?pid=mine", "AppsFlyer"],
  ["https://tide.onelink.me/abc", "AppsFlyer"],
  ["https://app.adjust.com/abc", "Adjust"],
  ["https://tide.app.link/abc", "Branch"],
  ["https://tide.sng.link/abc", "Singular"],
  ["https://control.kochava.com/v1/cpi/click", "Kochava"],
  ["https://notappsflyer.com/", undefined],
  ["https://shop.example/?to=app.adjust.com", undefined],
  ["no address", undefined],
])("the link %s is one of %s", (link, name) => {
  expect(providerOfLink(link)?.name).toBe(name);
});
