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
