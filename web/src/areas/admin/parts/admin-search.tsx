import { adminApps, adminUsers, notFoundText } from "@millrace/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { callApi } from "../../../shared/call-api.ts";
import { FindBox, type FindResult, useFindText } from "../../../shared/find-box.tsx";
import { PATHS } from "../../../shared/paths.ts";

const FOUND_OF_EACH = 5;

/** Finds apps and people of all accounts from any page, and opens the admin list with what was found. */
export function AdminSearch() {
  const box = useFindText();
  const { data, isPlaceholderData } = useQuery({
    queryKey: ["admin", "search", box.query],
    queryFn: ({ signal }) => findAll(box.query, signal),
    enabled: box.query !== "",
    placeholderData: keepPreviousData,
  });
  const navigate = useNavigate();
  const found = data?.map(({ to, search, ...result }) => ({
    ...result,
    open: () => void navigate({ to, search: { search } }),
  }));
  return (
    <FindBox
      {...box}
      label="Search apps and people"
      list="Apps and people"
      found={found}
      isOlder={isPlaceholderData}
      nothing={notFoundText("apps or people")}
    />
  );
}

interface Listed extends Omit<FindResult, "open"> {
  to: typeof PATHS.adminApps | typeof PATHS.adminUsers;
  /** What the list is searched for, so that it shows this result. */
  search: string;
}

async function findAll(search: string, signal: AbortSignal): Promise<Listed[]> {
  const [{ apps }, { users }] = await Promise.all([
    callApi(adminApps, { query: { search }, signal }),
    callApi(adminUsers, { query: { search }, signal }),
  ]);
  return [
    ...apps.slice(0, FOUND_OF_EACH).map(({ uuid, name, logo_url: image, bundle_id: bundle, owner }) => ({
      id: uuid,
      name,
      image,
      beside: `App of ${owner.email}`,
      to: PATHS.adminApps,
      search: bundle === "" ? name : bundle,
    })),
    ...users.slice(0, FOUND_OF_EACH).map(({ uuid, name, email }) => ({
      id: uuid,
      name,
      image: null,
      beside: email,
      to: PATHS.adminUsers,
      search: email,
    })),
  ];
}
