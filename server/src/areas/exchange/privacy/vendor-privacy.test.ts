import type { PrivacyPart } from "@millrace/contract";
import { PRIVACY_PARTS, vendorPrivacy as call } from "@millrace/contract";
import { expect, test } from "vitest";
import { CONSENTED, INTERESTED, tcf, UNLISTED, vendorListOf } from "../testing/consent-strings.ts";
import { personalDataIn, personalRequest } from "../testing/personal-request.ts";
import { partsRemovedBy } from "./privacy-table.ts";
import { privacyOf } from "./privacy-of.ts";
import { tcfReader } from "./read-tcf.ts";
import { redactRequest } from "./redact-request.ts";
import { vendorPrivacy } from "./vendor-privacy.ts";

const VENDORS = new Map([INTERESTED, CONSENTED].map((vendor) => [vendor.id, vendor]));
/** By signal; of those of two frameworks, the TCF's. */
const effects = (gvlId: number | undefined) =>
  new Map(
    vendorPrivacy(VENDORS, gvlId)
      .signals.toReversed()
      .map(({ signal, ...effect }) => [signal, effect]),
  );

test("whether a vendor is asked follows its legal bases and the publisher's restrictions", () => {
  const asked = (signal: string) =>
    [INTERESTED.id, CONSENTED.id, UNLISTED.id, undefined].map((id) => effects(id).get(signal)?.asked);
  expect(asked("Consent to everything")).toEqual([true, true, true, false]);
  expect(asked("Purpose 2 refused: basic ads, no objection to legitimate interest")).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(asked("Objection to legitimate interest in purpose 2, with consent")).toEqual([false, true, true, false]);
  expect(asked("Purpose 2 forbidden by the publisher")).toEqual([false, false, false, false]);
  expect(asked("Vendor not disclosed to the user")).toEqual([false, false, false, false]);
  expect(asked("No consent string")).toEqual([false, false, false, false]);
  expect(asked("Do not track (dnt)")).toEqual([true, true, true, true]);
});

test("what is withheld is what requests lose, and nothing is told of requests that are not sent", () => {
  const interested = effects(INTERESTED.id);
  expect(interested.get("No privacy signal")?.withheld).toEqual([]);
  expect(interested.get("Consent to everything")?.withheld).toEqual([]);
  // It has not declared special feature 1.
  expect(effects(CONSENTED.id).get("Consent to everything")?.withheld).toEqual(["address", "location"]);
  expect(interested.get("Purposes 3 and 4 refused: personalised ads")?.withheld).toEqual(["extendedIds", "profile"]);
  expect(interested.get("Opted out of the use of sensitive data")?.withheld).toEqual([
    "address",
    "location",
    "profile",
  ]);
  for (const signal of ["Limited ad tracking (lmt)", "Child-directed, or a child (coppa)", "Opted out of sale (1YYN)"])
    expect(interested.get(signal)?.withheld).toEqual([...PRIVACY_PARTS]);
  expect(interested.get("No consent string")).toMatchObject({ asked: false, withheld: [] });
});

test("the table says what real consent strings do to real requests", () => {
  const may = tcfReader(VENDORS);
  const all = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
  const ids = [INTERESTED, CONSENTED, UNLISTED].map(({ id }) => id);
  const rows: [string, Parameters<typeof tcf>[0]][] = [
    [
      "Purpose 1 refused: storage on the device",
      { purposes: all.slice(1), interestPurposes: all, specialFeatures: [1] },
    ],
    ["Purposes 3 and 4 refused: personalised ads", { purposes: [1, 2], interestPurposes: all, specialFeatures: [1] }],
    ["Special feature 1 refused: precise location", { purposes: all, interestPurposes: all }],
  ];
  for (const [signal, choices] of rows) {
    const consent = tcf({ vendors: ids, interestVendors: ids, ...choices, interestPurposes: [2, 7] }, [
      INTERESTED,
      CONSENTED,
      UNLISTED,
    ]);
    const request = personalRequest({ regs: { gdpr: 1 }, consent }, "2.6");
    for (const id of ids) {
      const privacy = privacyOf(request, may);
      const sent = redactRequest(request, partsRemovedBy(privacy.rulesFor(id))).request;
      const withheld = PRIVACY_PARTS.filter((part: PrivacyPart) => !personalDataIn(sent).includes(part));
      expect([signal, id, effects(id).get(signal)]).toEqual([
        signal,
        id,
        { framework: "TCF (GDPR)", asked: privacy.mayAsk(id), withheld },
      ]);
    }
  }
});

test("the reply has the contract's shape for every vendor of a list", () => {
  const list = new Map(Object.values(vendorListOf([INTERESTED, UNLISTED]).vendors).map((each) => [each.id, each]));
  for (const id of [undefined, ...list.keys()])
    expect(call.reply.parse(vendorPrivacy(list, id)).signals.length).toBe(30);
  expect(vendorPrivacy(list, INTERESTED.id).declared).toMatchObject({ legitimate_interest: [2, 7], flexible: [2] });
});
