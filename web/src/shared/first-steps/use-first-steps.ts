import { type FirstSteps, connectDemoPartners, firstSteps } from "@millrace/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../call-api.ts";

const LIVE_MS = 3000;

const keyOf = (uuid: string) => ["first_steps", uuid] as const;

/** Whether an app has got to its first impression. The file on the developer's site holds no ad up. */
export const isComplete = ({ steps }: FirstSteps): boolean =>
  steps.every(({ step, state }) => state === "done" || step === "app_ads");

/** Whether the app has any impression, which a sample app gets with its made-up figures. */
export const hasFigures = ({ steps }: FirstSteps): boolean =>
  steps.some(({ step, state }) => step === "impression" && state === "done");

const isWatched = (steps: FirstSteps): boolean => (steps.is_sample ? !hasFigures(steps) : !isComplete(steps));

/** An app's first steps if they are asked for, and then polled until they are complete. */
export const useFirstSteps = (uuid: string, isAskedFor = true) =>
  useQuery({
    queryKey: keyOf(uuid),
    queryFn: ({ signal }) => callApi(firstSteps, { params: { id: uuid }, signal }),
    enabled: ({ state: { data } }) => isAskedFor || (data !== undefined && isWatched(data)),
    refetchInterval: ({ state: { data } }) => data !== undefined && isWatched(data) && LIVE_MS,
  });

export function useConnectDemoPartners(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(connectDemoPartners, { params: { id: uuid } }),
    onSuccess: async (steps) => {
      client.setQueryData(keyOf(uuid), steps);
      // The settings and the page of keys show partners too.
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== keyOf(uuid)[0] });
    },
  });
}
