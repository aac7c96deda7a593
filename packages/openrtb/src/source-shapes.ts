import { codes, extension, extensionWith, flag, listOf, object, string, text } from "./check.ts";

export const schain = object(
  {
    complete: flag,
    nodes: listOf(
      object(
        { asi: text, sid: text, rid: string, name: string, domain: string, hp: flag, ext: extension },
        { required: ["asi", "sid"] },
      ),
    ),
    ver: string,
    ext: extension,
  },
  { required: ["complete", "nodes", "ver"] },
);

export const source = object({ fd: flag, tid: string, pchain: string, schain, ext: extensionWith({ schain }) });

/** Fields of 2.6 that 2.5 clients put into `regs.ext`. */
export const regsFields = { gdpr: flag, us_privacy: string, gpp: string, gpp_sid: codes };

export const regs = object({ coppa: flag, ...regsFields, ext: extensionWith(regsFields) });
