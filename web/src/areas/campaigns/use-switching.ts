import { useMemo, useState } from "react";
import { messageOf } from "../../shared/call-api.ts";
import { switchedStatus } from "./campaign-status.ts";

interface Switched {
  uuid: string;
  status: string;
}

/** Freezes and resumes campaigns. A refusal, such as that of the budget, is kept for its campaign until the next change. */
export function useSwitching(
  send: (change: { id: string; status: ReturnType<typeof switchedStatus> }) => Promise<unknown>,
) {
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const onSwitch = useMemo(
    () =>
      ({ uuid: id, status }: Switched) => {
        setPending((before) => new Set([...before, id]));
        setRefused((before) => new Map([...before].filter(([other]) => other !== id)));
        send({ id, status: switchedStatus(status) })
          .catch((failure: unknown) => setRefused((before) => new Map([...before, [id, messageOf(failure)]])))
          .finally(() => setPending((before) => new Set([...before].filter((other) => other !== id))));
      },
    [send],
  );
  return { pending, refused, onSwitch };
}
