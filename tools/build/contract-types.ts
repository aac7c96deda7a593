import type * as Contract from "@millrace/contract";

// The types of the contract that the SDK's own refer to, as packages of the SDK have them: the compiler writes them out into
// this file's declaration, so that apps need neither the contract nor zod.

/** The same type, written out. */
declare function plain<T>(): { [Key in keyof T]: T[Key] };
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the type of the call is what the compiler writes out
declare function either<T extends string>(): T;

const consent = plain<Contract.Consent>();
const device = plain<Contract.Device>();
const ad = plain<Contract.Ad>();
const format = either<Contract.Format>();
const platform = either<Contract.Platform>();
const sdkEvent = plain<Contract.SdkEvent>();
const initBody = plain<Contract.BodyInput<typeof Contract.sdkInit>>();
const initReply = plain<Contract.Reply<typeof Contract.sdkInit>>();
const version = either<typeof Contract.SDK_VERSION>();
const debugBody = plain<Contract.BodyInput<typeof Contract.sdkDebug>>();
const debugReply = plain<Contract.Reply<typeof Contract.sdkDebug>>();
const adReply = plain<Contract.Reply<typeof Contract.sdkAd>>();

export type Consent = typeof consent;
export type Device = typeof device;
export type Ad = typeof ad;
export type Format = typeof format;
export type Platform = typeof platform;
export type SdkEvent = typeof sdkEvent;
export type BodyInput<Call extends { body: unknown }> = Call["body"];
export type Reply<Call extends { reply: unknown }> = Call["reply"];
export declare const sdkInit: { body: typeof initBody; reply: typeof initReply };
export declare const sdkDebug: { body: typeof debugBody; reply: typeof debugReply };
export declare const sdkAd: { reply: typeof adReply };
export declare const SDK_VERSION: typeof version;
