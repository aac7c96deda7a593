import { type CampaignFirstSteps, campaignFirstSteps } from "@millrace/contract";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../shared/call-api.ts";

const LIVE_MS = 3000;

export const isComplete = ({ steps }: CampaignFirstSteps): boolean => steps.every(({ state }) => state === "done");

/** An advertiser's first steps, polled until they are complete. */
export const useCampaignFirstSteps = () =>
  useQuery({
    queryKey: ["campaign_first_steps"],
    queryFn: ({ signal }) => callApi(campaignFirstSteps, { signal }),
    refetchInterval: ({ state: { data } }) => data !== undefined && !isComplete(data) && LIVE_MS,
  });
