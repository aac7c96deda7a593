export * from "./catalogue.ts";
export * from "./check-keys.ts";
export { fillEndpoint } from "./endpoint.ts";
export { type OpenrtbKeys, openrtbPartner } from "./openrtb.ts";
export * from "./partner.ts";
export {
  type ImpChanges,
  limitMediaTypes,
  type OpenrtbVersion,
  prepareRequest,
  type PreparedRequest,
} from "./prepared-request.ts";
