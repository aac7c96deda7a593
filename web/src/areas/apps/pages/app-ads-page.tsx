import { loadingText } from "@millrace/contract";
import { PageTitle } from "../../../ui/page-title.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton } from "../../../ui/states/skeletons.tsx";
import { useAppAds } from "../api.ts";
import { Check } from "../app-ads/check.tsx";
import { Lines } from "../app-ads/lines.tsx";
import { SiteForm } from "../app-ads/site-form.tsx";
import panels from "../parts/panels.module.css";
import classes from "../app-ads/app-ads.module.css";

/** The account's app-ads.txt: its lines, its domain, and a check of the published file. */
export function AppAdsPage() {
  const ads = useAppAds();
  return (
    <>
      <PageTitle text="app-ads.txt" />
      <div className={classes.page}>
        <div className={panels.column}>
          <Lines query={ads} />
        </div>
        <div className={panels.column}>
          <LoadedBlock
            title="Developer site"
            query={ads}
            loading={loadingText("developer site")}
            skeleton={<RowsSkeleton rows={3} height={40} />}
          >
            {(data) => <SiteForm ads={data} onReload={ads.refetch} />}
          </LoadedBlock>
          {ads.data ? <Check domain={ads.data.domain} /> : null}
        </div>
      </div>
    </>
  );
}
