import { DEMO_MONEY, addDemoMoney } from "@millrace/contract";
import { formatMoney } from "@millrace/units";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { WorkButton } from "../ui/work-button.tsx";
import { callApi, messageOf } from "./call-api.ts";
import classes from "./demo-money.module.css";
import { useKnownSession, useMayUse } from "./session.ts";

/** In a demo, fills the campaign balance without an admin. Nothing elsewhere, and for those who may not manage campaigns. */
export function DemoMoney() {
  const session = useKnownSession();
  const may = useMayUse();
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: () => callApi(addDemoMoney, {}),
    // The header, the campaigns and the history show the balance, too.
    onSuccess: () => client.invalidateQueries(),
  });
  if (session?.demo.running !== true || !may("campaigns.manage")) return null;
  return (
    <>
      <WorkButton size="xs" working={add.isPending} onClick={() => add.mutate()}>
        Fill up to {formatMoney(DEMO_MONEY)} of demo money
      </WorkButton>
      <span className={classes.error} role="alert">
        {add.isError ? messageOf(add.error) : null}
      </span>
    </>
  );
}
