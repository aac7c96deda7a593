import { removeSampleApps } from "@millrace/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { WorkButton } from "../../ui/work-button.tsx";
import { callApi, messageOf } from "../call-api.ts";
import { ownPath } from "../own-path.ts";
import { PATHS } from "../paths.ts";
import { useMayUse } from "../session.ts";
import classes from "./remove-samples.module.css";

/** Removes all sample apps of the account at once, without a question: they can be added again as easily. */
export function RemoveSamples() {
  const may = useMayUse();
  const client = useQueryClient();
  const router = useRouter();
  const remove = useMutation({
    mutationFn: () => callApi(removeSampleApps, {}),
    onSuccess: ({ redirect_to }) => {
      router.history.push(ownPath(redirect_to, PATHS.apps));
      // Every list and figure had them, and the account is new again.
      return client.invalidateQueries();
    },
  });
  if (!may("account.change")) return null;
  return (
    <span className={classes.remove}>
      <WorkButton size="xs" variant="default" working={remove.isPending} onClick={() => remove.mutate()}>
        Remove the sample apps
      </WorkButton>
      <span className={classes.error} role="alert">
        {remove.isError ? messageOf(remove.error) : null}
      </span>
    </span>
  );
}
