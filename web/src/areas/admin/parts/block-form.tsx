import { type AdminUser, blockUser } from "@millrace/contract";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { Form, Submit } from "../../../ui/form/form.tsx";
import { TextAreaField } from "../../../ui/form/text-area-field.tsx";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { useBlockUser } from "../api.ts";
import classes from "./parts.module.css";

/** Blocks or unblocks a user. */
export function BlockForm({ user, onDone }: { user: AdminUser; onDone: () => void }) {
  const { tell } = useNotify();
  const block = useBlockUser();
  const form = useContractForm({
    schema: blockUser.body,
    initial: { blocked: !user.blocked, reason: "" },
    send: (body) => block.mutateAsync({ id: user.uuid, ...body }),
    onDone: () => {
      tell(user.blocked ? `${user.email} can sign in again` : `${user.email} is blocked`);
      onDone();
    },
  });
  return (
    <Form {...form.props}>
      <p className={classes.about}>
        {user.blocked
          ? `${user.email} and everyone else in the account will be able to sign in again.`
          : `${user.email} and all sub-users and managers of the account will be signed out and cannot sign in until you unblock them. Their apps keep serving. Their campaigns stop, and payouts that are not ordered yet are held back.`}
      </p>
      {user.blocked_reason === null ? null : <p className={classes.about}>Blocked because: {user.blocked_reason}</p>}
      <TextAreaField {...form.field("reason")} label="Reason" rows={3} maxLength={500} data-autofocus />
      <Submit {...form.submit} danger={!user.blocked}>
        {user.blocked ? "Unblock user" : "Block user"}
      </Submit>
    </Form>
  );
}
