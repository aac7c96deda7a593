import { askSupport, support, supportMessages } from "@millrace/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { callApi } from "../../shared/call-api.ts";
import { newKey } from "../../shared/new-key.ts";

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
  // The same text has the same key until it has arrived, so a retry after a lost reply sends it once.
  const last = useRef({ message: "", key: "" });
  return useMutation({
    mutationFn: (body: { message: string; page: string }) => {
      if (last.current.message !== body.message) last.current = { message: body.message, key: newKey() };
      return callApi(askSupport, { query: { key: last.current.key }, body });
    },
    onSuccess: () => {
      last.current = { message: "", key: "" };
      return client.invalidateQueries({ queryKey: MESSAGES_KEY });
    },
  });
}
