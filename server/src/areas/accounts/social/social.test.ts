import { afterAll, expect, test } from "vitest";
import { startOidcProvider } from "../../../platform/testing/start-oidc-provider.ts";
import { testStores } from "../../../platform/testing/stores.ts";
import { PUBLIC_URL, accountsServer } from "../testing/accounts-server.ts";
import { socialBrowser } from "../testing/social-browser.ts";

const { pg } = await testStores();
const provider = await startOidcProvider({
  redirectUris: [`${PUBLIC_URL}/login/google/return`, `${PUBLIC_URL}/login/facebook/return`],
});
afterAll(() => provider.close());
const { app } = await accountsServer(pg.pool, {
  settings: {
    operator: { name: "The operator", email: "support@millrace.example", address: undefined },
    social: { google: provider, facebook: provider },
    intercom: undefined,
    smtpUrl: undefined,
  },
});

test("somebody new comes in with an e-mail that the network vouches for", async () => {
  const browser = socialBrowser(app);
  const end = await browser.signIn("google", { sub: "ann", email: "ann@example.com", email_verified: "true" });
  expect(end.href).toBe(`${PUBLIC_URL}/apps`);
  const session = await browser.ask({ url: "/session.json" });
  expect(session.json()).toMatchObject({ email: "ann@example.com" });
});
