import {
  type BodyInput,
  type QueryInput,
  type UploadKind,
  addCampaign,
  campaignAppInfo,
  editCampaign,
  getCampaign,
  listCampaigns,
  setCampaignStatus,
  type uploadCreative,
  type uploadInhouse,
} from "@millrace/contract";
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../shared/call-api.ts";
import { useAddOnce } from "../../shared/new-key.ts";
import { uploadFile } from "../../shared/upload-file.ts";
import type { CampaignsAddress } from "./campaigns-address.ts";

export const LIVE_MS = 10_000;
const CAMPAIGNS = "campaigns";

/** The account's campaigns with their figures of the address's days. */
export const campaignsQuery = (address: CampaignsAddress) =>
  queryOptions({
    queryKey: [CAMPAIGNS, address],
    queryFn: ({ signal }) => callApi(listCampaigns, { query: address, signal }),
    staleTime: LIVE_MS,
  });

/** The same as a hook, polled while the range includes today. */
export function useCampaigns(address: CampaignsAddress, live: boolean) {
  return useQuery({
    ...campaignsQuery(address),
    placeholderData: keepPreviousData,
    // A failed list waits for "Try again": polling would make its error flicker.
    refetchInterval: ({ state }) => live && state.data !== undefined && LIVE_MS,
  });
}

/** What the form of a new campaign offers to choose from. */
export const useChoices = () =>
  useQuery({
    queryKey: [CAMPAIGNS, "choices"],
    queryFn: ({ signal }) => callApi(listCampaigns, { query: {}, signal }),
    select: ({ countries, versions, banners }) => ({ countries, versions, banners }),
    staleTime: Infinity,
  });

/** A campaign for its form. Not refetched behind a draft that was made of it. */
export const useCampaign = (uuid: string) =>
  useQuery({
    queryKey: ["campaign", uuid],
    queryFn: ({ signal }) => callApi(getCampaign, { params: { id: uuid }, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** A change, after which every list of campaigns is refetched. */
function useChange<A, R>(send: (input: A) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: send, onSettled: () => client.invalidateQueries({ queryKey: [CAMPAIGNS] }) });
}

type Status = NonNullable<QueryInput<typeof setCampaignStatus>>["status"];

export const useSetStatus = () =>
  useChange(({ id, status }: { id: string; status: Status }) =>
    callApi(setCampaignStatus, { params: { id }, query: { status } }),
  );

/** Adds a campaign, or changes the one with this id, unless it is no longer at the revision. */
export function useSaveCampaign(id: string | null, revision: string | undefined) {
  const addOnce = useAddOnce();
  return useChange(({ body, startsNow }: { body: BodyInput<typeof addCampaign>; startsNow: boolean }) =>
    id === null
      ? addOnce((key) => callApi(addCampaign, { query: { key, ...(startsNow && { start: "now" }) }, body }))
      : callApi(editCampaign, { params: { id }, query: { revision }, body }),
  );
}

/** One step of looking up the advertised app. */
export const askForApp = (body: { url: string } | { qid: string }, signal: AbortSignal) =>
  callApi(campaignAppInfo, { body, signal });

interface Upload {
  file: File;
  kind: UploadKind;
  /** From 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

export const useUpload = (call: typeof uploadCreative | typeof uploadInhouse) =>
  useMutation({
    mutationFn: ({ kind, ...upload }: Upload) =>
      uploadFile(call, {
        ...upload,
        ...(kind === "video" && { query: { kind } }),
        fields: { _file: upload.file.name, format: "json" },
      }),
  });
