import type { SubUser } from "@millrace/contract";
import { expect, test } from "vitest";
import { SCRIPT, addApp, isHacked } from "./support/add-app.ts";
import { OWN_PAGE } from "./support/session-of.ts";
import { testUsers } from "./support/test-users.ts";
import { dialog } from "./support/on-page.ts";

const people = testUsers();

test("a publisher adds, edits and deletes a partner's keys", async () => {
  await people.withPerson(async (page, { context }) => {
    const app = await addApp(context, "roku", "My Channel");
    await page.goto("/apps");
    await page.getByRole("link", { name: "keys of My Channel" }).click();
    await page.waitForURL(`**/apps/${app}/dsp`);
    await page.getByText("No keys found").waitFor();
    await page.getByRole("button", { name: "Add keys" }).click();
    await dialog(page).getByRole("button", { name: "Add keys" }).click();
    await expect.poll(() => dialog(page).getByText("This field is required").count()).toBe(2);
    await page.getByLabel("Partner *").selectOption({ label: "Lab brand" });
    await page.getByLabel("Format *").selectOption("video");
    await page.getByLabel("Seat ID").fill("seat-1");

    // As an ad blocker does.
    await page.route("**/rtbext/**", (route) => route.abort("blockedbyclient"));
    await dialog(page).getByRole("button", { name: "Add keys" }).click();
    await page
      .getByText(
        "Failed to add Lab brand. This can be caused by Ad blocking software. If you have it installed, please try temporary disabling it before sending again.",
        { exact: true },
      )
      .waitFor();
    await page.unroute("**/rtbext/**");
    await dialog(page).getByRole("button", { name: "Add keys" }).click();
    const row = page.getByRole("row").filter({ hasText: "Lab brand" });
    await row.getByText("seat-1").waitFor();

    await row.getByRole("button", { name: "Edit Lab brand, Video" }).click();
    await page.getByLabel("Seat ID").fill(SCRIPT);
    await dialog(page).getByRole("button", { name: "Save keys" }).click();
    await row.getByText(SCRIPT).waitFor();
    expect(await isHacked(page)).toBe(false);

    await page.goto(`/apps/${app}/mediation`);
    await page.getByRole("switch", { name: "Lab brand takes part", checked: true }).waitFor();
    await page.goto(`/apps/${app}/dsp`);
    await row.getByRole("button", { name: "Delete Lab brand, Video" }).click();
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await row.getByRole("button", { name: "Delete Lab brand, Video" }).click();
    await dialog(page).getByRole("button", { name: "Delete keys" }).click();
    await page.getByText("No keys found").waitFor();
  });
});

test("a guest has no access to settings and keys, and a developer only to the instructions", async () => {
  await people.withPerson(async (_, { context }) => {
    const app = await addApp(context, "roku", "Our Channel");
    const member = async (role_code: string) => {
      const reply = await context.request.post("/profile/guest/add", { headers: OWN_PAGE, data: { role_code } });
      const { email, salt } = (await reply.json()) as SubUser;
      return people.signedIn({ email, password: salt ?? "" });
    };
    const guest = await member("GST");
    const asGuest = await guest.newPage();
    await asGuest.goto("/apps");
    await asGuest.getByRole("link", { name: /^Our Channel/ }).waitFor();
    expect(await asGuest.getByRole("link", { name: /^(tools|keys) of/ }).count()).toBe(0);
    expect(await asGuest.getByRole("button", { name: /delete|Add New App/ }).count()).toBe(0);
    for (const path of ["settings", "dsp"]) {
      await asGuest.goto(`/apps/${app}/${path}`);
      await asGuest.getByRole("link", { name: "Go back" }).waitFor();
      expect(await asGuest.getByRole("link", { name: "Logout" }).count()).toBe(1);
      expect(await asGuest.getByText("Our Channel").count()).toBe(0);
    }
    expect(await asGuest.getByRole("link", { name: "app-ads.txt" }).count()).toBe(0);
    expect(await asGuest.getByText(/^(Balance|Revenue today)$/).count()).toBe(0);
    for (const path of [`/apps/${app}/instruction_iframe`, "/app-ads.txt"]) {
      expect((await guest.request.get(path, { headers: OWN_PAGE })).status()).toBe(403);
    }
    expect((await guest.request.get(`/apps/${app}/rtbext`, { headers: OWN_PAGE })).status()).toBe(403);
    expect((await guest.request.put(`/apps/${app}/floors`, { headers: OWN_PAGE, data: { floors: [] } })).status()).toBe(
      403,
    );
    expect((await guest.request.get(`/apps/${app}/delete_app`, { headers: OWN_PAGE })).status()).toBe(403);

    const developer = await member("SDEV");
    const asDeveloper = await developer.newPage();
    await asDeveloper.goto("/apps");
    await asDeveloper.getByRole("link", { name: "tools of Our Channel" }).click();
    await asDeveloper.frameLocator("iframe[title=Instructions]").getByText(app).first().waitFor();
    expect(await asDeveloper.getByRole("navigation", { name: "App" }).getByRole("link").allInnerTexts()).toEqual([
      "Statistics",
      "Requests",
      "Integrate",
    ]);
    expect(await asDeveloper.getByText(/^(Balance|Revenue today)$/).count()).toBe(0);
    for (const path of ["rtbext", "settings.json"]) {
      expect((await developer.request.get(`/apps/${app}/${path}`, { headers: OWN_PAGE })).status()).toBe(403);
    }
    expect(
      (await developer.request.put(`/apps/${app}/rtbext/lab-brand/video`, { headers: OWN_PAGE, data: {} })).status(),
    ).toBe(403);
  });
});
