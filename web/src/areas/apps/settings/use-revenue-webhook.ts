import {
  removeRevenueWebhook,
  type RevenueWebhook,
  revenueWebhook,
  setRevenueWebhook,
  testRevenueWebhook,
} from "@millrace/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../shared/call-api.ts";

const LIVE_MS = 10_000;
const keyOf = (uuid: string) => ["revenue_webhook", uuid] as const;

export const useRevenueWebhook = (uuid: string) =>
  useQuery({
    queryKey: keyOf(uuid),
    queryFn: ({ signal }) => callApi(revenueWebhook, { params: { id: uuid }, signal }),
    refetchInterval: ({ state }) => typeof state.data?.url === "string" && LIVE_MS,
  });

/** Sets the address; null removes it. The reply has the webhook. */
export function useSaveRevenueWebhook(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ url, revision }: { url: string | null; revision: string | undefined }) => {
      const at = { params: { id }, query: { revision } };
      return url === null ? callApi(removeRevenueWebhook, at) : callApi(setRevenueWebhook, { ...at, body: { url } });
    },
    onSuccess: (webhook: RevenueWebhook) => client.setQueryData(keyOf(id), webhook),
    // The change may be refused because the page shows outdated data.
    onError: () => client.invalidateQueries({ queryKey: keyOf(id) }),
  });
}

export const useTestRevenueWebhook = (id: string) =>
  useMutation({ mutationFn: () => callApi(testRevenueWebhook, { params: { id } }) });
