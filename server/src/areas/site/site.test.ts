import { expect, test } from "vitest";
import { testStores } from "../../platform/testing/stores.ts";
import { testPlatform } from "../../testing/test-platform.ts";

const plain = await testPlatform(await testStores());
const named = await testPlatform(await testStores(), {
  OPERATOR_NAME: "Example Ads",
  OPERATOR_EMAIL: "help@operator.test",
  OPERATOR_ADDRESS: "1 Example Street",
  GOOGLE_CLIENT_ID: "id",
  GOOGLE_CLIENT_SECRET: "secret",
});

test("site.json has the operator and the identity providers with settings", async () => {
  expect((await plain.ask({}, "GET", "/site.json")).body).toEqual({
    operator: { name: "The operator of this platform", email: null, address: null },
    social: [],
    demo: false,
    publisher_share: 80,
    mailbox: null,
  });
  expect((await named.ask({}, "GET", "/site.json")).body).toMatchObject({
    operator: { name: "Example Ads", email: "help@operator.test", address: "1 Example Street" },
    social: ["google"],
  });
});

test("search engines may read the public pages alone, at the platform's own address", async () => {
  const { headers, body } = await named.ask({}, "GET", "/robots.txt");
  expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(headers.get("cache-control")).toBe("public, max-age=3600");
  const lines = String(body["text"]).split("\n");
  expect(lines.slice(0, 3)).toEqual(["User-agent: *", "Disallow: /", "Allow: /$"]);
  expect(lines).toContain("Allow: /terms$");
  expect(lines).toContain(`Sitemap: ${named.url}/sitemap.xml`);
  expect(lines.some((line) => line.startsWith("Allow: /apps"))).toBe(false);
});

test("the sitemap lists the pages that robots.txt opens", async () => {
  const { headers, body } = await named.ask({}, "GET", "/sitemap.xml");
  expect(headers.get("content-type")).toBe("application/xml; charset=utf-8");
  expect(headers.get("cache-control")).toBe("public, max-age=3600");
  const listed = [...String(body["text"]).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address);
  expect(listed).toEqual(["/", "/terms", "/eula", "/privacy", "/copyright", "/help/"].map((path) => named.url + path));
});

test("outside a demo no auction is shown to strangers, and the call takes no parameters", async () => {
  const reply = await plain.ask({}, "GET", "/showcase.json");
  expect([reply.status, reply.body]).toEqual([200, { auctions: [] }]);
  expect(reply.headers.get("cache-control")).toBe("public, max-age=5");
  expect((await plain.ask({}, "POST", "/showcase.json")).status).toBe(404);
});

test("outside a demo the landing page says that it shows nobody's figures", async () => {
  const page = String((await plain.ask({}, "GET", "/")).body["text"]);
  expect(page).toContain('data-demo="no"');
  expect(page).toContain("This platform is not a demonstration");
  expect(page).toContain(`<link rel="canonical" href="${plain.url}/" />`);
  expect(page).toMatch(/<script type="application\/ld\+json">\{"@context":"https:\/\/schema.org"/);
  // Forty adapters, and no word left that the server should have filled in.
  expect(page.match(/<li>[^<]+<\/li>/g)?.length).toBeGreaterThanOrEqual(40);
  expect(page).toContain('<dd class="figure">40</dd>');
  expect(page).not.toMatch(/__[A-Z_]+__/);
});
