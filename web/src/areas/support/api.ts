import { askSupport, support, supportMessages } from "@millrace/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../shared/call-api.ts";
import { useAddOnce } from "../../shared/new-key.ts";

/** How to reach support; fetched once per visit. */
export const useSupport = () =>
  useQuery({
    queryKey: ["support"],
    queryFn: ({ signal }) => callApi(support, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

const MESSAGES_KEY = ["support_messages"] as const;

/** The user's own messages with their answers. */
export const useSupportMessages = () =>
  useQuery({ queryKey: MESSAGES_KEY, queryFn: ({ signal }) => callApi(supportMessages, { signal }), staleTime: 0 });

/** Sends a message to support with the address of the current page. */
export function useAskSupport() {
  const client = useQueryClient();
  const addOnce = useAddOnce();
  return useMutation({
    mutationFn: (body: { message: string; page: string }) =>
      addOnce((key) => callApi(askSupport, { query: { key }, body }), body.message),
    onSuccess: () => {
      return client.invalidateQueries({ queryKey: MESSAGES_KEY });
    },
  });
}
