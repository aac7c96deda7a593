import type { BidRequest } from "@millrace/openrtb";
import { expect, test } from "vitest";
import { requestsOf } from "../requests-of.ts";
import { defineAdapter } from "./define-adapter.ts";
import { deviceHeaders } from "./request-changes.ts";

const request: BidRequest = { id: "r", imp: [{ id: "1", banner: { w: 1, h: 1 } }], app: { id: "a" } };

test("a page is sent as the referrer, and what a request lacks is not", () => {
  const headers = deviceHeaders("referer", "user-agent");
  expect(headers({ ...request, site: { page: "https://p.example.com" } })).toEqual({
    referer: "https://p.example.com",
    "user-agent": undefined,
  });
});

test.each(["Téléphone", "Телефон", "a\r\nb", "a\u007f", ""])(
  "a device's text %j, which no header can have, costs its header and not the call",
  (ua) => {
    const requestHeaders = deviceHeaders("user-agent", "accept-language");
    const adapter = defineAdapter({
      id: "x",
      name: "X",
      mediaTypes: ["banner"],
      endpoint: "https://x.example.com",
      keys: { properties: {}, required: [] },
      requestHeaders,
    });
    const made = requestsOf(adapter, { ...request, device: { ua, language: "fr" } });
    if ("code" in made) throw new Error(made.message);
    expect(made[0]?.headers["accept-language"]).toBe("fr");
    expect(made[0]?.headers).not.toHaveProperty("user-agent");
  },
);
