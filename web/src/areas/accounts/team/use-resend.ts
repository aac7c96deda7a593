import type { UseMutationResult } from "@tanstack/react-query";
import { useCallback } from "react";
import { messageOf } from "../../../shared/call-api.ts";
import { useNotify } from "../../../ui/notify/notify.tsx";

/** Invites a person again: they get a new link, and the older ones stop working. `onFailed` gets null at the start. */
export function useResend<Invitation extends { email: string }>(
  { mutate }: Pick<UseMutationResult<unknown, Error, Invitation>, "mutate">,
  onFailed: (message: string | null) => void,
) {
  const { tell } = useNotify();
  return useCallback(
    (invitation: Invitation) => {
      onFailed(null);
      mutate(invitation, {
        onSuccess: () => tell(`A new invitation was sent to ${invitation.email}`),
        onError: (failure) => onFailed(messageOf(failure)),
      });
    },
    [mutate, tell, onFailed],
  );
}
