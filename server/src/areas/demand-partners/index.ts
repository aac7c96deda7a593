export { listAllKeys, listPartners, sealPlainKeys, setPartnerKeys, switchPartnerKeys, upsertPartner } from "./store.ts";
export type { PartnerKeysRow, PartnerRow } from "./store.ts";
export { demandPartnersArea } from "./area.ts";
export { appPartners } from "./app-partners.ts";
