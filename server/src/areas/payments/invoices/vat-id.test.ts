import { expect, test } from "vitest";
import { checkedVatId } from "./vat-id.ts";

// The examples by which tax offices and standards explain their check digits.
test.each([
  ["AT", "ATU13585627"],
  ["BE", "BE0428759497"],
  ["BG", "BG175074752"],
  ["CY", "CY10259033P"],
  ["CZ", "CZ25123891"],
  ["DE", "DE136695976"],
  ["DK", "DK13585628"],
  ["EE", "EE100594102"],
  ["ES", "ESX2482300W"],
  ["FI", "FI20774740"],
  ["FR", "FR40303265045"],
  ["GR", "EL094259216"],
  ["HR", "HR33392005961"],
  ["HU", "HU12892312"],
  ["IE", "IE6433435F"],
  ["IT", "IT00743110157"],
  ["LT", "LT119511515"],
  ["LU", "LU15027442"],
  ["LV", "LV40003521600"],
  ["MT", "MT11679112"],
  ["NL", "NL123456789B13"],
  ["PL", "PL8567346215"],
  ["PT", "PT501964843"],
  ["RO", "RO18547290"],
  ["SE", "SE123456789701"],
  ["SI", "SI50223054"],
  ["SK", "SK2022749619"],
  ["GB", "GB980780684"],
  ["CH", "CHE107787577MWST"],
  ["NO", "NO995525828MVA"],
])("%s: %s is kept with its prefix, however it is typed, and refused with another digit", async (country, id) => {
  expect(await checkedVatId(country, id)).toBe(id);
  expect(await checkedVatId(country, ` ${id.slice(0, 5).toLowerCase()} ${id.slice(5)}`)).toBe(id);
  if (country !== "CH") expect(await checkedVatId(country, id.replace(/^(EL|[A-Z]{2})/, ""))).toBe(id);
  const at = id.search(/\d(?=\D*$)/);
  expect(await checkedVatId(country, id.slice(0, at) + ((Number(id[at]) + 1) % 10) + id.slice(at + 1))).toBeNull();
});

test("another country's id is refused, and nonsense too; a number of a country without rates is taken as typed", async () => {
  expect(await checkedVatId("DE", "ATU13585627")).toBeNull();
  expect(await checkedVatId("FR", "nonsense")).toBeNull();
  expect(await checkedVatId("US", " 12-3456789 ")).toBe("12-3456789");
});
