import {
  type BodyInput,
  addKillSwitch,
  adminPartner,
  adminPartners,
  currencyRates,
  endKillSwitch,
  killSwitches,
  noteCurrencyRate,
  partnerBreakers,
  savePartner,
  testPartner,
  vendorPrivacy,
} from "@millrace/contract";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { callApi } from "../../shared/call-api.ts";
import { type About, PLATFORM_REFRESH_MS, useDecision } from "./api.ts";

export const partnersQuery = queryOptions({
  queryKey: ["admin", "partners"],
  queryFn: ({ signal }) => callApi(adminPartners, { signal }),
  refetchInterval: PLATFORM_REFRESH_MS,
  staleTime: 0,
});

export const ratesQuery = queryOptions({
  queryKey: ["admin", "currency rates"],
  queryFn: ({ signal }) => callApi(currencyRates, { signal }),
  staleTime: 0,
});

export const killSwitchesQuery = queryOptions({
  queryKey: ["admin", "kill switches"],
  queryFn: ({ signal }) => callApi(killSwitches, { signal }),
  refetchInterval: PLATFORM_REFRESH_MS,
  staleTime: 0,
});

/** What privacy signals withhold from a partner of this vendor id, or of none. It changes with a release only, or the list of vendors. */
export const vendorPrivacyQuery = (gvlId: number | null) =>
  queryOptions({
    queryKey: ["admin", "vendor privacy", gvlId],
    queryFn: ({ signal }) => callApi(vendorPrivacy, { query: gvlId === null ? {} : { gvl_id: gvlId }, signal }),
  });

/** The partners that are paused, as the exchange sees it now. */
export const breakersQuery = queryOptions({
  queryKey: ["admin", "breakers"],
  queryFn: ({ signal }) => callApi(partnerBreakers, { signal }),
  refetchInterval: PLATFORM_REFRESH_MS,
  staleTime: 0,
});

/** A partner's settings; `kind` is the adapter of one that is not saved yet. */
export const partnerQuery = (id: string, kind: string | undefined) =>
  queryOptions({
    queryKey: ["admin", "partner", id, kind],
    queryFn: ({ signal }) =>
      callApi(adminPartner, { params: { partner: id }, query: kind === undefined ? {} : { kind }, signal }),
    refetchInterval: PLATFORM_REFRESH_MS,
    staleTime: 0,
  });

/** Sends a partner one test request. It changes nothing. */
export const useTestPartner = () =>
  useMutation({
    mutationFn: ({ id, ...body }: About<BodyInput<typeof testPartner>>) =>
      callApi(testPartner, { params: { partner: id }, body }),
  });

export const useSavePartner = () =>
  useDecision(({ id, revision, ...body }: About<BodyInput<typeof savePartner>> & { revision: string }) =>
    callApi(savePartner, { params: { partner: id }, query: { revision }, body }),
  );

export const useNoteRate = () =>
  useDecision((body: BodyInput<typeof noteCurrencyRate>) => callApi(noteCurrencyRate, { body }));

export const useAddKillSwitch = () =>
  useDecision((body: BodyInput<typeof addKillSwitch>) => callApi(addKillSwitch, { body }));

export const useEndKillSwitch = () => useDecision((id: string) => callApi(endKillSwitch, { params: { id } }));
