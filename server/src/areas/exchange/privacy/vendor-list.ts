import { readFile } from "node:fs/promises";
import { z } from "zod";
import { StartError } from "../../../platform/start-error.ts";
import lab from "./vendor-list.json" with { type: "json" };

const ids = z.array(z.int().positive()).default([]);

/** A vendor's declarations as the IAB's Global Vendor List has them (version 3, `vendor-list.json`). */
const Vendor = z.object({
  id: z.int().min(1).max(65_535),
  name: z.string(),
  /** Purposes it needs consent for. */
  purposes: ids,
  /** Purposes it claims a legitimate interest in. */
  legIntPurposes: ids,
  /** Purposes in either list whose legal basis a publisher may change. */
  flexiblePurposes: ids,
  specialFeatures: ids,
  deletedDate: z.string().optional(),
});
export type Vendor = z.infer<typeof Vendor>;

const VendorListFile = z.object({ vendors: z.record(z.string(), Vendor) });

/** Vendors by their ids. */
export type VendorList = ReadonlyMap<number, Vendor>;

/**
 * The known vendors: those of the bundled list and of the operator's copy of the Global Vendor List at `path`, which
 * takes precedence. A vendor that left the list is not included. A file that is not such a list is a StartError.
 */
export async function loadVendorList(path?: string): Promise<VendorList> {
  const own = vendorsOf(VendorListFile.parse(lab));
  if (path === undefined) return own;
  return new Map([...own, ...vendorsOf(await readList(path))]);
}

async function readList(path: string): Promise<z.infer<typeof VendorListFile>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new StartError(`The file of the setting GVL_FILE cannot be read: ${(error as Error).message}.`);
  }
  try {
    return VendorListFile.parse(JSON.parse(text));
  } catch {
    throw new StartError(
      "The file of the setting GVL_FILE is not a Global Vendor List: it needs `vendors` with their purposes.",
    );
  }
}

const vendorsOf = ({ vendors }: z.infer<typeof VendorListFile>): Map<number, Vendor> =>
  new Map(Object.values(vendors).flatMap((vendor) => (vendor.deletedDate === undefined ? [[vendor.id, vendor]] : [])));
