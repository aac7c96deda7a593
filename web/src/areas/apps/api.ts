import {
  type AppSettings,
  type BodyInput,
  type DspFormat,
  type Keys,
  type QueryInput,
  type RtbExt,
  addApp,
  appAds,
  appBids,
  appMediation,
  appSettings,
  appStats,
  checkAppAds,
  deleteApp,
  deleteDspKeys,
  deleteZone,
  dspKeys,
  editZone,
  listApps,
  muteApp,
  putDspKeys,
  renameApp,
  rewardCallbacks,
  sendTestReward,
  setAppAds,
  setBlocks,
  setFlags,
  setFloors,
  setLearning,
  setRewards,
  setTestDevices,
  switchPartner,
} from "@millrace/contract";
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError, callApi } from "../../shared/call-api.ts";
import type { ListAddress } from "../../shared/filters/address.ts";
import { useAddOnce } from "../../shared/new-key.ts";

const LIVE_MS = 10_000;
const SLOW_MS = 60_000;

/** The account's apps by the address's filters. */
export const appsQuery = (address: ListAddress) =>
  queryOptions({
    queryKey: ["apps", address],
    queryFn: ({ signal }) => callApi(listApps, { query: address, signal }),
    staleTime: LIVE_MS,
  });

/** The same as a hook, polled while the range includes today. */
export function useApps(address: ListAddress, live: boolean) {
  return useQuery({
    ...appsQuery(address),
    placeholderData: keepPreviousData,
    // A failed list waits for "Try again": polling would make its error flicker.
    refetchInterval: ({ state }) => live && state.data !== undefined && LIVE_MS,
  });
}

export type AddAppInput = BodyInput<typeof addApp>;

/** One step of looking up an app. */
export const sendAdd = (body: AddAppInput, signal: AbortSignal) => callApi(addApp, { query: {}, body, signal });

/** Which app is added; without its flags, which may change before a retry. */
const identityOf = ({ qid, item, url, platform, bundle_id, name }: AddAppInput): string =>
  JSON.stringify([qid, item, url, platform, bundle_id, name]);

/** Adds an app, once although it is sent again after a lost reply. */
export function useAddApp() {
  const addOnce = useAddOnce();
  return useMutation({
    mutationFn: (body: AddAppInput) => addOnce((key) => callApi(addApp, { query: { key }, body }), identityOf(body)),
  });
}

export const useMuteApp = () =>
  useMutation({ mutationFn: (id: string) => callApi(muteApp, { params: { id }, body: { mute: "on", tag: 1 } }) });

/** Refetches everything that names apps: lists, figures, and whether the user is still new. */
export function useForgetApps() {
  const client = useQueryClient();
  return () => client.invalidateQueries();
}

export function useDeleteApp() {
  const forget = useForgetApps();
  return useMutation({
    mutationFn: (id: string) => callApi(deleteApp, { params: { id } }),
    onSuccess: () => forget(),
  });
}

export function useRenameApp() {
  const forget = useForgetApps();
  return useMutation({
    mutationFn: (body: BodyInput<typeof renameApp>) => callApi(renameApp, { params: { id: body.uuid }, body }),
    onSuccess: () => forget(),
  });
}

/** The app's identity, for users without access to its settings. */
export const useAppIdentity = (uuid: string) =>
  useQuery({
    queryKey: ["app_identity", uuid],
    queryFn: async ({ signal }) => {
      const { app } = await callApi(appStats, { params: { id: uuid }, query: { func: ["app"] }, signal });
      if (app === undefined) throw new ApiError(200, "The reply holds no app");
      return app;
    },
  });

/** What each zone of an app requested, showed and earned in some days, by the zone's id. */
export const useZoneFigures = (uuid: string, range: { ds: string; de: string }) =>
  useQuery({
    queryKey: ["zone_figures", uuid, range],
    queryFn: async ({ signal }) => {
      const query = { func: ["stats"], view: "zone" as const, compare: "none" as const, ...range };
      const reply = await callApi(appStats, { params: { id: uuid }, query, signal });
      const rows = ("stats" in reply && reply.stats?.stats) || [];
      return new Map(rows.map((row) => [row.id, row]));
    },
    staleTime: SLOW_MS,
  });

const settingsKey = (uuid: string) => ["app_settings", uuid] as const;

export const useAppSettings = (uuid: string) =>
  useQuery({
    queryKey: settingsKey(uuid),
    queryFn: ({ signal }) => callApi(appSettings, { params: { id: uuid }, signal }),
    // Zones appear by themselves, while a developer who just integrated the SDK waits for them here.
    refetchInterval: ({ state }) => state.data !== undefined && LIVE_MS,
  });

const mediationKey = (uuid: string) => ["app_mediation", uuid] as const;

/** What partners did in an app's auctions. */
export const useMediation = (uuid: string, query: QueryInput<typeof appMediation>) =>
  useQuery({
    queryKey: [...mediationKey(uuid), query],
    queryFn: ({ signal }) => callApi(appMediation, { params: { id: uuid }, query, signal }),
    placeholderData: keepPreviousData,
    staleTime: LIVE_MS,
    refetchInterval: ({ state }) => typeof state.data?.compared_until === "string" && SLOW_MS,
  });

/** Yesterday's highest bids on the requests of a floor, and the effect of another floor. */
export const useBids = (uuid: string, query: QueryInput<typeof appBids>) =>
  useQuery({
    queryKey: ["app_bids", uuid, query],
    queryFn: ({ signal }) => callApi(appBids, { params: { id: uuid }, query, signal }),
    placeholderData: keepPreviousData,
    staleTime: SLOW_MS,
  });

/** With the revision of the part that it replaces. */
type At<Part> = Part & { revision: string | undefined };

/** Changes one part of an app's settings; the reply has all of them and updates the page at once. */
function useChange<Input>(uuid: string, send: (input: Input) => Promise<AppSettings>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (settings) => {
      client.setQueryData(settingsKey(uuid), settings);
      return Promise.all([
        client.invalidateQueries({ queryKey: mediationKey(uuid) }),
        client.invalidateQueries({ queryKey: ["app_bids", uuid] }),
      ]);
    },
    // The change may be refused because the page shows outdated data.
    onError: () =>
      Promise.all([settingsKey(uuid), mediationKey(uuid)].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

export const useSetFloors = (id: string) =>
  useChange(id, ({ revision, ...body }: At<BodyInput<typeof setFloors>>) =>
    callApi(setFloors, { params: { id }, query: { revision }, body }),
  );

export const useSetBlocks = (id: string) =>
  useChange(id, ({ revision, ...body }: At<BodyInput<typeof setBlocks>>) =>
    callApi(setBlocks, { params: { id }, query: { revision }, body }),
  );

export const useSetTestDevices = (id: string) =>
  useChange(id, ({ revision, ...body }: At<BodyInput<typeof setTestDevices>>) =>
    callApi(setTestDevices, { params: { id }, query: { revision }, body }),
  );

export const useSetFlags = (id: string) =>
  useChange(id, ({ revision, ...body }: At<BodyInput<typeof setFlags>>) =>
    callApi(setFlags, { params: { id }, query: { revision }, body }),
  );

export const useSetLearning = (id: string) =>
  useChange(id, ({ revision, ...body }: At<BodyInput<typeof setLearning>>) =>
    callApi(setLearning, { params: { id }, query: { revision }, body }),
  );

export const useSetRewards = (id: string) =>
  useChange(id, ({ revision, ...body }: At<BodyInput<typeof setRewards>>) =>
    callApi(setRewards, { params: { id }, query: { revision }, body }),
  );

/** What became of the callbacks for rewards, while the app has an address for them. */
export const useRewardCallbacks = (uuid: string, enabled: boolean) =>
  useQuery({
    queryKey: ["reward_callbacks", uuid],
    queryFn: ({ signal }) => callApi(rewardCallbacks, { params: { id: uuid }, signal }),
    enabled,
    refetchInterval: ({ state }) => state.data !== undefined && LIVE_MS,
  });

export const useSendTestReward = (uuid: string) =>
  useMutation({ mutationFn: () => callApi(sendTestReward, { params: { id: uuid } }) });

export const useSwitchPartner = (id: string) =>
  useChange(id, ({ partner, enabled }: { partner: string; enabled: boolean }) =>
    callApi(switchPartner, { params: { id, partner }, body: { enabled } }),
  );

export const useEditZone = (id: string) =>
  useChange(id, ({ zone, revision, ...body }: At<{ zone: string } & BodyInput<typeof editZone>>) =>
    callApi(editZone, { params: { id, zone }, query: { revision }, body }),
  );

export const useDeleteZone = (id: string) =>
  useChange(id, (zone: string) => callApi(deleteZone, { params: { id, zone } }));

const keysKey = (uuid: string) => ["dsp_keys", uuid] as const;

export const useDspKeys = (uuid: string) =>
  useQuery({
    queryKey: keysKey(uuid),
    queryFn: ({ signal }) => callApi(dspKeys, { params: { id: uuid }, signal }),
  });

/** A partner and the format that its keys are for. */
export interface KeysPlace {
  dsp: string;
  format: DspFormat;
}

function useChangeKeys<Input>(uuid: string, send: (input: Input) => Promise<RtbExt>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: async (reply) => {
      client.setQueryData(keysKey(uuid), reply);
      await client.invalidateQueries({ queryKey: settingsKey(uuid) });
    },
    // The change may be refused because the page shows outdated data.
    onError: () => client.invalidateQueries({ queryKey: keysKey(uuid) }),
  });
}

export const usePutKeys = (id: string) =>
  useChangeKeys(id, ({ dsp, format, revision, keys }: At<KeysPlace & { keys: Keys }>) =>
    callApi(putDspKeys, { params: { id, dsp, format }, query: { revision }, body: keys }),
  );

export const useDeleteKeys = (id: string) =>
  useChangeKeys(id, ({ dsp, format }: KeysPlace) => callApi(deleteDspKeys, { params: { id, dsp, format } }));

const APP_ADS = ["app_ads"] as const;

export const useAppAds = () => useQuery({ queryKey: APP_ADS, queryFn: ({ signal }) => callApi(appAds, { signal }) });

export function useSetAppAds() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ revision, ...body }: At<BodyInput<typeof setAppAds>>) =>
      callApi(setAppAds, { query: { revision }, body }),
    onSuccess: (reply) => client.setQueryData(APP_ADS, reply),
  });
}

export const useCheckAppAds = () => useMutation({ mutationFn: () => callApi(checkAppAds, {}) });
