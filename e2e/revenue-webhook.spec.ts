import { randomUUID, createPublicKey, verify } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { type Reply, RevenueDelivery, rewardKeys } from "@millrace/contract";
import { expect, inject, onTestFinished, test } from "vitest";
import { appNamed } from "./support/app-named.ts";
import { deviceOf } from "./support/ask-for-ad.ts";
import { region } from "./support/on-page.ts";
import { testUsers } from "./support/test-users.ts";

const platform = inject("platform");
const people = testUsers();
const SOON = { timeout: 60_000, interval: 200 };

interface Call {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A publisher's server that keeps what is posted to it. */
async function startReceiver() {
  const calls: Call[] = [];
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      calls.push({ headers: request.headers, body: Buffer.concat(chunks) });
      reply.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const deliveries = () => calls.map(({ body }) => RevenueDelivery.parse(JSON.parse(body.toString())));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/revenue`, calls, deliveries };
}

/** Whether the platform's published key has signed it. */
async function isGenuine({ headers, body }: Call): Promise<boolean> {
  const { keys } = (await (await fetch(platform.url + rewardKeys.path)).json()) as Reply<typeof rewardKeys>;
  const key = keys.find(({ keyId }) => String(keyId) === headers["millrace-key-id"]);
  const signature = Buffer.from(String(headers["millrace-signature"]), "base64url");
  return key !== undefined && verify("sha256", body, createPublicKey(key.pem), signature);
}

test("an address is set up and tested in the settings, and gets the revenue of the next impression", async () => {
  const receiver = await startReceiver();
  const context = await people.publisher();
  const page = await context.newPage();
  const app = await appNamed(context, "Small Kitchen");
  await page.goto(`/apps/${app}/settings`);
  const form = region(page, "Revenue webhook");
  const address = form.getByLabel("Address for revenue");
  await address.fill("game.example");
  await form.getByRole("button", { name: "Save address" }).click();
  await form.getByText("Use a web address like").waitFor();
  await address.fill(receiver.url);
  await form.getByRole("button", { name: "Save address" }).click();
  await form.getByRole("button", { name: "Send a test delivery" }).click();
  await form.getByText("Delivered: status 204.").waitFor();
  expect(receiver.deliveries().filter((delivery) => delivery.test)).toHaveLength(1);

  const zone = `paid_${randomUUID()}`;
  await (await deviceOf(platform, app)).show(zone, "banner");
  const paid = () =>
    receiver.deliveries().flatMap(({ impressions }) => impressions.filter((impression) => impression.zone === zone));
  await expect.poll(() => paid().length, SOON).toBe(1);
  expect(paid()[0]).toMatchObject({ format: "banner", precision: "exact", currency: "USD" });
  for (const call of receiver.calls) expect(await isGenuine(call)).toBe(true);
  await form.getByText(/[1-9][\d,]* impressions? delivered, the last on/).waitFor();

  await address.fill("");
  await form.getByRole("button", { name: "Save address" }).click();
  await form.getByRole("button", { name: "Send a test delivery" }).waitFor({ state: "detached" });
});

test("the demo posts an app's impressions to a server of its own", async () => {
  const context = await people.publisher();
  const page = await context.newPage();
  await page.goto(`/apps/${await appNamed(context, "Lantern Runner")}/settings`);
  const form = region(page, "Revenue webhook");
  await form.getByText(/[1-9][\d,]* impressions? delivered/).waitFor({ timeout: 90_000 });
  expect(await form.getByLabel("Address for revenue").inputValue()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/revenue$/);
});
