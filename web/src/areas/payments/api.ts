import {
  type RevenueGroup,
  billing,
  cashoutsHistory,
  invoices,
  monthRevenue,
  nextPayment,
  registerPayee,
  revenueShares,
} from "@millrace/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callApi } from "../../shared/call-api.ts";

const REFRESH_MS = 30_000;
/** The frame's address is valid for an hour. */
const FRAME_STALE_MS = 50 * 60_000;

export const nextPaymentQuery = queryOptions({
  queryKey: ["payments", "next"],
  queryFn: ({ signal }) => callApi(nextPayment, { signal }),
  refetchInterval: REFRESH_MS,
  staleTime: 0,
});

export const cashoutsQuery = (p: number) =>
  queryOptions({
    queryKey: ["payments", "history", p],
    queryFn: ({ signal }) => callApi(cashoutsHistory, { query: { p }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  });

export const billingQuery = queryOptions({
  queryKey: ["payments", "billing"],
  queryFn: ({ signal }) => callApi(billing, { signal }),
  staleTime: 0,
  // A reload would throw away what is being typed.
  refetchOnWindowFocus: false,
});

export const invoicesQuery = (p: number) =>
  queryOptions({
    queryKey: ["payments", "invoices", p],
    queryFn: ({ signal }) => callApi(invoices, { query: { p }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  });

export const sharesQuery = queryOptions({
  queryKey: ["payments", "shares"],
  queryFn: ({ signal }) => callApi(revenueShares, { signal }),
  staleTime: 0,
});

export const payoutFrameQuery = queryOptions({
  queryKey: ["payments", "frame"],
  queryFn: ({ signal }) => callApi(registerPayee, { signal }),
  staleTime: FRAME_STALE_MS,
  // A reload would throw away what is being typed.
  refetchOnWindowFocus: false,
});

export const monthRevenueQuery = ({ month, by }: { month: string | undefined; by: RevenueGroup }) =>
  queryOptions({
    queryKey: ["payments", "revenue", month, by],
    queryFn: ({ signal }) => callApi(monthRevenue, { query: { month, by }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  });
