import type { VendorPrivacy } from "@millrace/contract";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { answerCalls } from "../../../testing/answer-calls.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { somePartner } from "../testing/some-partner.ts";
import { PartnerPrivacy } from "./partner-privacy.tsx";

const open = (gvlId: number | null) => {
  const partner = somePartner();
  const settings = { ...partner.settings, gvl_id: gvlId };
  return renderPage(
    () => <PartnerPrivacy partner={{ ...partner, settings, adapter: { ...partner.adapter, gvl_id: null } }} />,
    "/admin/partners/xandr",
    "/admin/partners/xandr",
  );
};

const SIGNALS: VendorPrivacy["signals"] = [
  { framework: "TCF (GDPR)", signal: "Purpose 1 refused", asked: true, withheld: ["deviceIds", "profile"] },
  { framework: "TCF (GDPR)", signal: "Purpose 2 refused", asked: false, withheld: [] },
];

test("each signal stands with whether the partner is asked and what is withheld, by its vendor's declarations", async () => {
  const calls = answerCalls({
    "GET /admin/vendor_privacy.json": () => ({
      declared: { name: "Xandr", consent: [1, 3], legitimate_interest: [2], flexible: [], special_features: [] },
      signals: SIGNALS,
    }),
  });
  await open(32);
  await screen.findByText("Xandr declares: consent for purposes 1, 3; legitimate interest in purposes 2.");
  expect(calls("GET /admin/vendor_privacy.json")[0]?.query.get("gvl_id")).toBe("32");
  const rows = (await screen.findAllByRole("row")).slice(1).map((row) => row.textContent);
  expect(rows).toEqual([
    "Purpose 1 refusedTCF (GDPR)yeswithheldsentsentsentsentwithheld",
    "Purpose 2 refusedTCF (GDPR)Not asked––––––",
  ]);
});

test("a partner without a vendor id, and one that is on no list, say so", async () => {
  answerCalls({ "GET /admin/vendor_privacy.json": () => ({ declared: null, signals: SIGNALS }) });
  await open(null);
  expect(
    await screen.findByText("Where the GDPR applies it is not asked, because no consent string can name it."),
  ).toBeTruthy();
  await open(900);
  expect(await screen.findByText(/Vendor 900 is on none of the platform's lists \(setting GVL_FILE\)/)).toBeTruthy();
});
