import { type Platform, type Reply, addApp } from "@millrace/contract";
import { useRouter } from "@tanstack/react-router";
import { useContractForm } from "../../../shared/form/use-contract-form.ts";
import { ownPath } from "../../../shared/own-path.ts";
import { PATHS } from "../../../shared/paths.ts";
import { useMayUse } from "../../../shared/session.ts";
import { useNotify } from "../../../ui/notify/notify.tsx";
import { type AddAppInput, useAddApp, useForgetApps, useMuteApp } from "../api.ts";
import { type Filled, fitting, platformOf } from "./add-rules.ts";

type Way = Pick<AddAppInput, "dev" | "manual" | "qid" | "url" | "item" | "name" | "bundle_id"> & {
  platform?: Platform;
};

interface AddFormOptions {
  /** The way of adding the app, with the values already known. */
  initial: Way;
  check: (values: Filled) => Readonly<Record<string, string | undefined>>;
  /** The app's platform, if the form has no field for it. */
  platform?: (values: Filled) => Platform;
  onAdded: () => void;
}

const FLAGS = { is_gaming: 0, only_image: false, mute: false, kids: false, adult: false };

/** A form that adds an app; all of them finish in the same way. */
export function useAddForm({ initial, check, platform, onAdded }: AddFormOptions) {
  const add = useAddApp();
  const arrive = useArrival(onAdded);
  return useContractForm({
    schema: addApp.body,
    initial: { type: "apps", ...FLAGS, ...initial },
    check,
    send: (values) => add.mutateAsync(fitting(values, platform?.(values) ?? platformOf(values.platform))),
    onDone: (reply, values) => arrive(reply, values.mute === true),
  });
}
export type AddForm = ReturnType<typeof useAddForm>;

/** Finishes adding an app: mutes it if requested, then navigates on. */
export function useArrival(onAdded: () => void) {
  const mute = useMuteApp();
  const may = useMayUse();
  const forget = useForgetApps();
  const { tell } = useNotify();
  const router = useRouter();
  return async ({ redirect_to, uuid, message }: Reply<typeof addApp>, muted: boolean) => {
    // The app is added muted, so a developer, who may not change it afterwards, needs no second call.
    if (muted && may("settings.manage") && uuid !== undefined && redirect_to !== undefined) {
      await mute.mutateAsync(uuid).catch(() => tell("The app was added, but it could not be muted", "failed"));
    }
    if (message !== undefined) tell(message);
    onAdded();
    void forget();
    router.history.push(ownPath(redirect_to, PATHS.apps));
  };
}
