import {
  type BodyInput,
  adminApps,
  adminPlatform,
  adminUsers,
  answerSupport,
  auditLog,
  blockUser,
  creativeQueue,
  deskMessages,
  moderateApp,
  moderateCreative,
  moderationQueue,
  newsMails,
  refillBalance,
  sendNews,
  sendNewsAgain,
  switchToUser,
} from "@millrace/contract";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../shared/call-api.ts";

/** Parameters of the admin lists: a search, and a page counted from 0. */
export interface Asked {
  search: string;
  p: number;
}

const listOf = <T>(name: string, asked: Asked, ask: (signal: AbortSignal) => Promise<T>) =>
  queryOptions({
    queryKey: ["admin", name, asked],
    queryFn: ({ signal }) => ask(signal),
    placeholderData: keepPreviousData,
    // Other admins decide too, so a list is refetched on every visit.
    staleTime: 0,
  });

export type ListQuery<T> = ReturnType<typeof listOf<T>>;

export const appsQuery = (query: Asked) => listOf("apps", query, (signal) => callApi(adminApps, { query, signal }));

export const usersQuery = (query: Asked) => listOf("users", query, (signal) => callApi(adminUsers, { query, signal }));

export const moderationQuery = (query: Asked) =>
  listOf("moderation", query, (signal) => callApi(moderationQueue, { query, signal }));

export const creativesQuery = (query: Asked) =>
  listOf("creatives", query, (signal) => callApi(creativeQueue, { query, signal }));

export const auditQuery = (query: Asked) => listOf("audit", query, (signal) => callApi(auditLog, { query, signal }));

export const supportQuery = (query: Asked) =>
  listOf("support", query, (signal) => callApi(deskMessages, { query, signal }));

export const newsQuery = (query: Asked) => listOf("news", query, (signal) => callApi(newsMails, { query, signal }));

const PLATFORM_REFRESH_MS = 10_000;

export const platformQuery = queryOptions({
  queryKey: ["admin", "platform"],
  queryFn: ({ signal }) => callApi(adminPlatform, { signal }),
  refetchInterval: PLATFORM_REFRESH_MS,
  staleTime: 0,
});

/** An admin's decision, which may change every list. */
function useDecision<A, R>(decide: (asked: A) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: decide, onSuccess: () => client.invalidateQueries({ queryKey: ["admin"] }) });
}

type About<Body> = { id: string } & Body;

export const useBlockUser = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof blockUser>>) => callApi(blockUser, { params: { id }, body }));

export const useRefillBalance = () =>
  useDecision(({ id, ...body }: About<BodyInput<typeof refillBalance>>) =>
    callApi(refillBalance, { params: { id }, body }),
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
