/** By country: the prefix of its VAT ids, and stdnum's name of them. Greece has EL, Switzerland's begin with CHE by themselves. */
const IDS: ReadonlyMap<string, { prefix: string; name: string }> = new Map(
  Object.entries({
    AT: "uid",
    BE: "vat",
    BG: "vat",
    CY: "vat",
    CZ: "dic",
    DE: "vat",
    DK: "cvr",
    EE: "kmkr",
    ES: "nif",
    FI: "alv",
    FR: "tva",
    GR: "vat",
    HR: "oib",
    HU: "anum",
    IE: "vat",
    IT: "iva",
    LT: "pvm",
    LU: "tva",
    LV: "pvn",
    MT: "vat",
    NL: "btw",
    PL: "nip",
    PT: "nif",
    RO: "cif",
    SE: "vat",
    SI: "ddv",
    SK: "dph",
    GB: "vat",
    CH: "vat",
    NO: "mva",
  }).map(([country, name]) => [country, { name, prefix: { GR: "EL", CH: "" }[country as "GR" | "CH"] ?? country }]),
);

/**
 * A VAT id with its prefix and without blanks, if its format and check digits are right for the country; null if they are not. Whether
 * it was given to anybody, only the tax offices know (VIES). Ids of countries without VAT rates here are taken as typed.
 */
export async function checkedVatId(country: string, typed: string): Promise<string | null> {
  const id = IDS.get(country);
  if (id === undefined) return typed.trim();
  // Only when it is needed: it knows the numbers of ninety countries.
  const { stdnum } = await import("stdnum");
  const plain = typed.toUpperCase().replaceAll(/[\s.-]/g, "");
  const number = plain.startsWith(id.prefix) ? plain.slice(id.prefix.length) : plain;
  const checked = stdnum[country]?.[id.name]?.validate(number);
  return checked?.isValid === true ? id.prefix + checked.compact : null;
}
