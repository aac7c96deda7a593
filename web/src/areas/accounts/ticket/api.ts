import { type BodyInput, checkTicket, redeemTicket } from "@millrace/contract";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../shared/call-api.ts";

export const useTicket = (ticket: string) =>
  useQuery({
    queryKey: ["ticket", ticket],
    queryFn: ({ signal }) => callApi(checkTicket, { params: { ticket }, signal }),
    // Fetched once: only this page changes the ticket's state.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });

export const sendTicket = (ticket: string, body: BodyInput<typeof redeemTicket>) =>
  callApi(redeemTicket, { params: { ticket }, body });
