import type { Consent } from "@millrace/contract";

// The interfaces of consent platforms: IAB TCF 2.2 "CMP API v2", IAB GPP "CMP API" 1.1, and US Privacy "USP API" 1.0.

interface TcData {
  gdprApplies?: boolean;
  tcString?: string;
  eventStatus?: string;
  listenerId?: number;
}
interface GppData {
  signalStatus?: string;
  gppString?: string;
  applicableSections?: number[];
}
interface ConsentPlatforms {
  __tcfapi?: (
    command: string,
    version: number,
    callback: (data: TcData | null, ok: boolean) => void,
    id?: number,
  ) => void;
  __gpp?: (command: string, callback: (data: never, ok: boolean) => void) => void;
  __uspapi?: (
    command: string,
    version: number,
    callback: (data: { uspString?: string } | null, ok: boolean) => void,
  ) => void;
}

/** The signals of the page's consent platforms. Waits until each of them knows the user's choice. */
export async function readConsent(): Promise<Consent> {
  const platforms: ConsentPlatforms & Window = window;
  const all = await Promise.all([readTcf(platforms), readGpp(platforms), readUsPrivacy(platforms)]);
  return Object.assign({}, ...all);
}

/** `cmpuishown` means that the user is being asked: their choice comes with `useractioncomplete`. */
const readTcf = ({ __tcfapi: api }: ConsentPlatforms): Promise<Consent> =>
  new Promise((resolve) => {
    if (!api) return resolve({});
    return api("addEventListener", 2, (data, ok) => {
      if (!ok || !data) return;
      const isKnown = data.gdprApplies === false || /^(tcloaded|useractioncomplete)$/.test(data.eventStatus ?? "");
      if (!isKnown) return;
      resolve({ gdpr: data.gdprApplies === false ? 0 : 1, ...(data.tcString ? { tcf: data.tcString } : {}) });
      if (data.listenerId !== undefined) api("removeEventListener", 2, () => {}, data.listenerId);
    });
  });

const readGpp = ({ __gpp: api }: ConsentPlatforms): Promise<Consent> =>
  new Promise((resolve) => {
    if (!api) return resolve({});
    const take = (data: GppData | null) => {
      if (data?.signalStatus !== "ready") return;
      resolve({ ...(data.gppString ? { gpp: data.gppString } : {}), gpp_sid: data.applicableSections ?? [] });
    };
    api("addEventListener", (event: { pingData?: GppData } | null) => take(event?.pingData ?? null));
    return api("ping", (data: GppData | null) => take(data));
  });

const readUsPrivacy = ({ __uspapi: api }: ConsentPlatforms): Promise<Consent> =>
  new Promise((resolve) => {
    if (!api) return resolve({});
    return api("getUSPData", 1, (data, ok) => resolve(ok && data?.uspString ? { us_privacy: data.uspString } : {}));
  });
