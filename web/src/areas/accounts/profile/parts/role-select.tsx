import { NativeSelect } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { SUB_USER_LABELS, SUB_USER_ROLES, type SubUser } from "@millrace/contract";
import { messageOf } from "../../../../shared/call-api.ts";
import { useEditSubUser } from "../api.ts";
import classes from "./parts.module.css";

const OPTIONS = SUB_USER_ROLES.map((role) => ({ value: role, label: SUB_USER_LABELS[role] }));

interface RoleSelectProps {
  user: SubUser;
  /** Called with the error, and with null when another attempt starts. */
  onFailed: (message: string | null) => void;
}

/** A sub-user's role; choosing another saves it. */
export function RoleSelect({ user: { uuid, email, role_code }, onFailed }: RoleSelectProps) {
  const edit = useEditSubUser();
  const wanted = edit.isPending ? edit.variables.role_code : undefined;
  const choose = (chosen: string) => {
    const role = SUB_USER_ROLES.find((code) => code === chosen);
    if (!role || edit.isPending) return;
    onFailed(null);
    edit.mutate({ id: uuid, role_code: role }, { onError: (failure) => onFailed(messageOf(failure)) });
  };
  return (
    <NativeSelect
      size="xs"
      className={classes.role ?? ""}
      aria-label={`Role of ${email}`}
      aria-busy={edit.isPending}
      data={OPTIONS}
      value={wanted ?? role_code}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}
