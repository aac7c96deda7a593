import { PLATFORM_LABELS, notFoundText } from "@millrace/contract";
import { useNavigate } from "@tanstack/react-router";
import { FindBox, useFindText } from "../../../shared/find-box.tsx";
import { PATHS } from "../../../shared/paths.ts";
import { useAppSearch } from "../find-apps.ts";

/** Finds an app from any page and opens its statistics. */
export function AppSearch() {
  const box = useFindText();
  const { data, isPlaceholderData } = useAppSearch(box.query);
  const navigate = useNavigate();
  const found = data?.map(({ uuid, name, logo_url, platform }) => ({
    id: uuid,
    name,
    image: logo_url,
    beside: PLATFORM_LABELS[platform],
    open: () => void navigate({ to: PATHS.appPerformance, params: { uuid }, search: {} }),
  }));
  return (
    <FindBox
      {...box}
      label="Search app"
      list="Apps"
      found={found}
      isOlder={isPlaceholderData}
      nothing={notFoundText("apps")}
    />
  );
}
