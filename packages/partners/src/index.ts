export * from "./catalogue.ts";
export * from "./check-keys.ts";
export { type OpenrtbKeys, openrtbPartner } from "./openrtb.ts";
export * from "./adapter.ts";
export { type ImpChanges, type OpenrtbVersion, prepareRequest, type PreparedRequest } from "./prepared-request.ts";
