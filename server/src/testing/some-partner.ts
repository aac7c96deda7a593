import type { PartnerRow } from "../areas/demand-partners/index.ts";

/** A partner that buys everything over OpenRTB 2.6 unless given otherwise. */
export const somePartner = (partner: Pick<PartnerRow, "id"> & Partial<PartnerRow>): PartnerRow => ({
  kind: "openrtb",
  name: partner.id,
  endpoint: `https://${partner.id}.example/bid`,
  media_types: ["banner", "video", "audio", "native"],
  gvl_id: null,
  openrtb_version: "2.6",
  gzip: false,
  active: true,
  demo: false,
  ...partner,
});
