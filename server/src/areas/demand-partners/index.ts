export { listAllKeys, listPartners, setPartnerKeys, upsertPartner } from "./store.ts";
export type { PartnerKeysRow, PartnerRow } from "./store.ts";
