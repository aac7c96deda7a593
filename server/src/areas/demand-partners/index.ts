export { listAllKeys, listPartners, setPartnerKeys, upsertPartner } from "./store.ts";
export type { KeyFormat, PartnerKeysRow, PartnerRow } from "./store.ts";
