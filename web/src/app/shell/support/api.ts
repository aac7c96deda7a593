import { askSupport, support } from "@millrace/contract";
import { useMutation, useQuery } from "@tanstack/react-query";
import { callApi } from "../../../shared/call-api.ts";

/** How support is reached; asked once a visit. */
export const useSupport = () =>
  useQuery({
    queryKey: ["support"],
    queryFn: ({ signal }) => callApi(support, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Mails a message to support, with the address of the page that it was written on. */
export const useAskSupport = () =>
  useMutation({
    mutationFn: (body: { message: string; page: string }) => callApi(askSupport, { body }),
  });
