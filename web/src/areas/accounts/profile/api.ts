import {
  type BodyInput,
  type Side,
  type SocialService,
  addManager,
  addSubUser,
  clearOtpSecret,
  deleteAccount,
  deleteManager,
  deleteSubUser,
  editManager,
  editProfile,
  editSubUser,
  exportPersonalData,
  generateOtpSecret,
  inviteSubUser,
  makeAccessToken,
  openSide,
  profile,
  revokeAccessToken,
  saveOtpSecret,
  unlinkSocial,
} from "@millrace/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../shared/call-api.ts";
import { useAddOnce } from "../../../shared/new-key.ts";

const PROFILE = ["profile"];
const EXPORT_REFRESH_MS = 3000;

/** The signed-in user's profile, polled while an export is running. */
export const useProfile = () =>
  useQuery({
    queryKey: PROFILE,
    queryFn: ({ signal }) => callApi(profile, { signal }),
    refetchInterval: ({ state }) => state.data?.export?.state === "working" && EXPORT_REFRESH_MS,
  });

/** Changes the profile and refetches it before the change counts as done. */
function useChange<A, R>(change: (input: A) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: change, onSuccess: () => client.invalidateQueries({ queryKey: PROFILE }) });
}

/** A person as read; with the revision, a change is refused once somebody else has changed the person. */
interface PersonRead {
  id: string;
  revision?: string;
}

export type ProfileEdit = BodyInput<typeof editProfile>;

export function useEditProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ProfileEdit) => callApi(editProfile, { body }),
    // The shell shows the name too.
    onSuccess: () => Promise.all([PROFILE, ["session"]].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

/** Opens the other side of the product; the shell shows its links at once. */
export function useOpenSide() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (side: Side) => callApi(openSide, { body: { side } }),
    onSuccess: () => Promise.all([PROFILE, ["session"]].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

export const useMakeAccessToken = () => useChange(() => callApi(makeAccessToken, {}));
export const useRevokeAccessToken = () => useChange(() => callApi(revokeAccessToken, {}));

export const useUnlinkSocial = () =>
  useChange((service: SocialService) => callApi(unlinkSocial, { params: { service }, body: { del: 1 } }));

/** Each call creates a new secret, so only a button triggers it. */
export const useGenerateOtpSecret = () => useMutation({ mutationFn: () => callApi(generateOtpSecret, {}) });

export const useSaveOtpSecret = () =>
  useMutation({ mutationFn: (query: { code: string; secret: string }) => callApi(saveOtpSecret, { query }) });

export const useClearOtpSecret = () =>
  useMutation({ mutationFn: (code: string) => callApi(clearOtpSecret, { query: { code } }) });

export function useAddSubUser() {
  const addOnce = useAddOnce();
  return useChange((body: BodyInput<typeof addSubUser>) =>
    addOnce((key) => callApi(addSubUser, { query: { key }, body })),
  );
}

export const useInviteSubUser = () =>
  useChange((body: BodyInput<typeof inviteSubUser>) => callApi(inviteSubUser, { body }));

export const useEditSubUser = () =>
  useChange(({ id, revision, ...body }: PersonRead & BodyInput<typeof editSubUser>) =>
    callApi(editSubUser, { params: { id }, query: { revision }, body }),
  );

export const useDeleteSubUser = () => useChange((id: string) => callApi(deleteSubUser, { params: { id } }));

export const useAddManager = () => useChange((body: BodyInput<typeof addManager>) => callApi(addManager, { body }));

export const useEditManager = () =>
  useChange(({ id, revision, ...body }: PersonRead & BodyInput<typeof editManager>) =>
    callApi(editManager, { params: { id }, query: { revision }, body }),
  );

export const useDeleteManager = () => useChange((id: string) => callApi(deleteManager, { params: { id } }));

export const useExportPersonalData = () => useChange(() => callApi(exportPersonalData, {}));

export const useDeleteAccount = () =>
  useMutation({ mutationFn: (body: BodyInput<typeof deleteAccount>) => callApi(deleteAccount, { body }) });
