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
  __gpp?: (command: string, callback: (data: never, ok: boolean) => void, id?: number) => void;
  __uspapi?: (
    command: string,
    version: number,
    callback: (data: { uspString?: string } | null, ok: boolean) => void,
  ) => void;
}

/** The reading that waits for the user's choice; later requests share it. */
let waiting: Promise<Consent> | null = null;

/** The signals of the page's consent platforms. Waits until each of them knows the user's choice. */
export function readConsent(): Promise<Consent> {
  waiting ??= readAll().finally(() => (waiting = null));
  return waiting;
}

async function readAll(): Promise<Consent> {
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
    const isKnown = (data: GppData | null | undefined) => {
      if (data?.signalStatus !== "ready") return false;
      resolve({ ...(data.gppString ? { gpp: data.gppString } : {}), gpp_sid: data.applicableSections ?? [] });
      return true;
    };
    const onEvent = (event: { listenerId?: number; pingData?: GppData } | null) => {
      if (isKnown(event?.pingData)) api("removeEventListener", () => {}, event?.listenerId);
    };
    return api("ping", (data: GppData | null) => {
      if (!isKnown(data)) api("addEventListener", onEvent);
    });
  });

const readUsPrivacy = ({ __uspapi: api }: ConsentPlatforms): Promise<Consent> =>
  new Promise((resolve) => {
    if (!api) return resolve({});
    return api("getUSPData", 1, (data, ok) => resolve(ok && data?.uspString ? { us_privacy: data.uspString } : {}));
  });
