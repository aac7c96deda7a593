export { listPartners, sealPlainKeys, setPartnerKeys, switchPartnerKeys, upsertPartner } from "./store.ts";
export type { PartnerKeysRow, PartnerRow } from "./store.ts";
export { type KeyReader, keyReader } from "./key-reader.ts";
export { demandPartnersArea } from "./area.ts";
export { appPartners } from "./app-partners.ts";
