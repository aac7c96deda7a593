import {
  acceptDrift,
  type AdminDeductionFilter,
  type BodyInput,
  type RevenueGroup,
  adjustBalance,
  adminApps,
  adminBooks,
  adminDeductions,
  adminInvoices,
  adminPayouts,
  adminPlatform,
  adminRefills,
  adminRevenue,
  adminShares,
  adminStatement,
  adminStatements,
  adminUsers,
  answerDeduction,
  answerSupport,
  askAboutPayout,
  auditLog,
  blockUser,
  checkBooks,
  creditInvoice,
  type CREATIVE_DECISIONS,
  creativeQueue,
  creditAdvertiser,
  deductible,
  deskMessages,
  importStatement,
  invoiceTotals,
  moderateApp,
  moderateCreative,
  moderationQueue,
  newsMails,
  noteDeduction,
  passOnShortfall,
  previewStatement,
  refillBalance,
  sendNews,
  sendNewsAgain,
  setShare,
  settlePayout,
  switchToUser,
  takeBackRefill,
  whereToPay,
} from "@millrace/contract";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, callApi } from "../../shared/call-api.ts";

/** Parameters of the admin lists: a search, and a page counted from 0. */
export interface ListParams {
  search: string;
  p: number;
}

const listOf = <T>(name: string, params: ListParams, ask: (signal: AbortSignal) => Promise<T>) =>
  queryOptions({
    queryKey: ["admin", name, params],
    queryFn: ({ signal }) => ask(signal),
    placeholderData: keepPreviousData,
    // Other admins decide too, so a list is refetched on every visit.
    staleTime: 0,
  });

export type ListQuery<T> = ReturnType<typeof listOf<T>>;

export const appsQuery = (query: ListParams) =>
  listOf("apps", query, (signal) => callApi(adminApps, { query, signal }));

export const usersQuery = (query: ListParams) =>
  listOf("users", query, (signal) => callApi(adminUsers, { query, signal }));

export const moderationQuery = (query: ListParams) =>
  listOf("moderation", query, (signal) => callApi(moderationQueue, { query, signal }));

export const creativesQuery = (query: ListParams & { decision: (typeof CREATIVE_DECISIONS)[number] }) =>
  listOf("creatives", query, (signal) => callApi(creativeQueue, { query, signal }));

export const auditQuery = (query: ListParams) =>
  listOf("audit", query, (signal) => callApi(auditLog, { query, signal }));

export const supportQuery = (query: ListParams) =>
  listOf("support", query, (signal) => callApi(deskMessages, { query, signal }));

export const newsQuery = (query: ListParams) =>
  listOf("news", query, (signal) => callApi(newsMails, { query, signal }));

export const deductionsQuery = (query: ListParams & { state: AdminDeductionFilter }) =>
  listOf("deductions", query, (signal) => callApi(adminDeductions, { query, signal }));

/** What can be deducted from a publisher's earnings of a day. */
export const deductibleQuery = (id: string, day: string) =>
  queryOptions({
    queryKey: ["admin", "deductible", id, day],
    queryFn: ({ signal }) => callApi(deductible, { params: { id }, query: { day }, signal }),
    staleTime: 0,
  });

/** A publisher's shares of the cleared prices. */
export const sharesQuery = (id: string) =>
  queryOptions({
    queryKey: ["admin", "shares", id],
    queryFn: ({ signal }) => callApi(adminShares, { params: { id }, signal }),
    staleTime: 0,
  });

export const PLATFORM_REFRESH_MS = 10_000;

export const platformQuery = queryOptions({
  queryKey: ["admin", "platform"],
  queryFn: ({ signal }) => callApi(adminPlatform, { signal }),
  refetchInterval: PLATFORM_REFRESH_MS,
  staleTime: 0,
});

export const booksQuery = queryOptions({
  queryKey: ["admin", "books"],
  queryFn: ({ signal }) => callApi(adminBooks, { signal }),
  refetchInterval: PLATFORM_REFRESH_MS,
  staleTime: 0,
});

export const payoutsQuery = (query: ListParams) =>
  queryOptions({
    ...listOf("payouts", query, (signal) => callApi(adminPayouts, { query, signal })),
    refetchInterval: PLATFORM_REFRESH_MS,
    staleTime: 0,
  });

export const invoicesQuery = (query: ListParams) =>
  listOf("invoices", query, (signal) => callApi(adminInvoices, { query, signal }));

export const invoiceTotalsQuery = (month: string | undefined) =>
  queryOptions({
    queryKey: ["admin", "invoice-totals", month],
    queryFn: ({ signal }) => callApi(invoiceTotals, { query: { month }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const statementsQuery = (query: ListParams) =>
  listOf("statements", query, (signal) => callApi(adminStatements, { query, signal }));

export const statementQuery = (id: string, p: number) =>
  queryOptions({
    queryKey: ["admin", "statement", id, p],
    queryFn: ({ signal }) => callApi(adminStatement, { params: { id }, query: { p }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const revenueQuery = (query: { month: string | undefined; by: RevenueGroup; partner: string | undefined }) =>
  queryOptions({
    queryKey: ["admin", "revenue", query],
    queryFn: ({ signal }) => callApi(adminRevenue, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Reads a statement without booking it. */
export const usePreviewStatement = () =>
  useMutation({ mutationFn: (body: BodyInput<typeof previewStatement>) => callApi(previewStatement, { body }) });

/** An admin's decision, which may change every list. It may be refused because a list shows outdated data. */
export function useDecision<A, R>(decide: (input: A) => Promise<R>) {
  const client = useQueryClient();
  const refetch = () => client.invalidateQueries({ queryKey: ["admin"] });
  return useMutation({
    mutationFn: decide,
    onSuccess: refetch,
    onError: (failure) => {
      if (failure instanceof ApiError && failure.status === 409) void refetch();
    },
  });
}

export type About<Body> = { id: string } & Body;

export const useBlockUser = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof blockUser>>) => callApi(blockUser, { params: { id }, body }));

export const useRefillBalance = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof refillBalance>>) =>
    callApi(refillBalance, { params: { id }, body }),
  );

/** An advertiser's last refills, and what was taken back of them. */
export const refillsQuery = (id: string) =>
  queryOptions({
    queryKey: ["admin", "refills", id],
    queryFn: ({ signal }) => callApi(adminRefills, { params: { id }, signal }),
    staleTime: 0,
  });

export const useTakeBackRefill = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof takeBackRefill>>) =>
    callApi(takeBackRefill, { params: { id }, body }),
  );

export const useCreditAdvertiser = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof creditAdvertiser>>) =>
    callApi(creditAdvertiser, { params: { id }, body }),
  );

export const useAdjustBalance = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof adjustBalance>>) =>
    callApi(adjustBalance, { params: { id }, body }),
  );

export const useSetShare = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof setShare>>) => callApi(setShare, { params: { id }, body }));

export const useAskAboutPayout = () => useDecision((id: string) => callApi(askAboutPayout, { params: { id } }));

/** The reply is not kept once its page is left. */
export const useWhereToPay = () =>
  useMutation({ mutationFn: (id: string) => callApi(whereToPay, { params: { id } }), gcTime: 0 });

export const useSettlePayout = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof settlePayout>>) =>
    callApi(settlePayout, { params: { id }, body }),
  );

export const useCreditInvoice = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof creditInvoice>>) =>
    callApi(creditInvoice, { params: { id }, body }),
  );

export const useNoteDeduction = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof noteDeduction>>) =>
    callApi(noteDeduction, { params: { id }, body }),
  );

export const useAnswerDeduction = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof answerDeduction>>) =>
    callApi(answerDeduction, { params: { id }, body }),
  );

export const useImportStatement = () =>
  useDecision((body: BodyInput<typeof importStatement>) => callApi(importStatement, { body }));

export const usePassOnShortfall = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof passOnShortfall>>) =>
    callApi(passOnShortfall, { params: { id }, body }),
  );

export const useCheckBooks = () => useDecision(() => callApi(checkBooks, {}));

export const useAcceptDrift = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof acceptDrift>>) =>
    callApi(acceptDrift, { params: { id }, body }),
  );

export const useModerateApp = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof moderateApp>>) =>
    callApi(moderateApp, { params: { id }, body }),
  );

export const useModerateCreative = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof moderateCreative>>) =>
    callApi(moderateCreative, { params: { id }, body }),
  );

export const useAnswerSupport = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof answerSupport>>) =>
    callApi(answerSupport, { params: { id }, body }),
  );

export const useSendNews = () => useDecision((body: BodyInput<typeof sendNews>) => callApi(sendNews, { body }));

export const useSendNewsAgain = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof sendNewsAgain>>) =>
    callApi(sendNewsAgain, { params: { id }, body }),
  );

export const useSwitchToUser = () =>
  useMutation({ mutationFn: (id: string) => callApi(switchToUser, { params: { id } }) });
