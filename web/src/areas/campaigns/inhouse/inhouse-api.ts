import {
  type BodyInput,
  addInhouse,
  deleteInhouse,
  editInhouse,
  getInhouse,
  inhouseChoices,
  inhouseForm,
  listInhouse,
  setInhouseStatus,
} from "@millrace/contract";
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../shared/call-api.ts";
import { useAddOnce } from "../../../shared/new-key.ts";
import { LIVE_MS } from "../api.ts";
import type { CampaignsAddress } from "../campaigns-address.ts";

const INHOUSE = "inhouse";

/** The account's in-house campaigns with their figures of the address's days. */
export const inhouseQuery = (address: CampaignsAddress) =>
  queryOptions({
    queryKey: [INHOUSE, address],
    queryFn: ({ signal }) => callApi(listInhouse, { query: address, signal }),
    staleTime: LIVE_MS,
  });

/** The same as a hook, polled while the range includes today. */
export function useInhouseList(address: CampaignsAddress, live: boolean) {
  return useQuery({
    ...inhouseQuery(address),
    placeholderData: keepPreviousData,
    // A failed list waits for "Try again": polling would make its error flicker.
    refetchInterval: ({ state }) => live && state.data !== undefined && LIVE_MS,
  });
}

/** What the form of a new in-house campaign offers to choose from. */
export const useInhouseChoices = () =>
  useQuery({
    queryKey: ["inhouse choices"],
    queryFn: ({ signal }) => callApi(inhouseChoices, { signal }),
  });

/** An in-house campaign for its form. Not refetched behind a draft that was made of it. */
export const useInhouse = (uuid: string) =>
  useQuery({
    queryKey: ["inhouse campaign", uuid],
    queryFn: ({ signal }) => callApi(getInhouse, { params: { id: uuid }, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** A change, after which every list of in-house campaigns is refetched. */
function useChange<A, R>(send: (input: A) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: send, onSettled: () => client.invalidateQueries({ queryKey: [INHOUSE] }) });
}

export const useSetInhouseStatus = () =>
  useChange(({ id, status }: { id: string; status: "active" | "frozen" }) =>
    callApi(setInhouseStatus, { params: { id }, query: { status } }),
  );

export const useDeleteInhouse = () => useChange((id: string) => callApi(deleteInhouse, { params: { id } }));

/** Adds an in-house campaign, or changes the one with this id, unless it is no longer at the revision. */
export function useSaveInhouse(id: string | null, revision: string | undefined) {
  const addOnce = useAddOnce();
  return useChange((body: BodyInput<typeof addInhouse>) =>
    id === null
      ? addOnce((key) => callApi(addInhouse, { query: { key }, body, encode: inhouseForm }))
      : callApi(editInhouse, { params: { id }, query: { revision }, body, encode: inhouseForm }),
  );
}
