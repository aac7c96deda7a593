export { findAdapter, type PartnerId, partners } from "./catalogue.ts";
export * from "./requests-of.ts";
export * from "./adapter/adapter.ts";
export { checkKeys, type KeysFault } from "./adapter/check-keys.ts";
export { prepareRequest, type OpenrtbVersion, type PreparedRequest } from "./adapter/prepared-request.ts";
