import type { InhouseRow } from "@millrace/contract";
import { dayOf } from "@millrace/units";
import { Suspense, lazy, useMemo, useState } from "react";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { PATHS } from "../../../shared/paths.ts";
import type { Prefetch } from "../../../shared/prefetch.ts";
import { useMayUse } from "../../../shared/session.ts";
import { readCampaignsAddress } from "../campaigns-address.ts";
import { CampaignList } from "../parts/campaign-list.tsx";
import { useSwitching } from "../use-switching.ts";
import { inhouseQuery, useInhouseList, useSetInhouseStatus } from "./inhouse-api.ts";
import { inhouseColumns } from "./inhouse-columns.tsx";

const DeleteInhouse = lazy(async () => ({ default: (await import("./delete-inhouse.tsx")).DeleteInhouse }));

export const prefetch: Prefetch = (client, { search }) => {
  client.query(inhouseQuery(readCampaignsAddress(search))).catch(() => undefined);
};

const WORDS = {
  page: "Cross Promo",
  title: "Cross promotions",
  what: "cross promotions",
  none: "Show ads of one of your apps in your other apps, free of charge: where nobody bought the place, or whenever bids are lower than your price.",
  notFound: (search: string) => `No cross promotion of this account has “${search}” in its title.`,
  add: "Add InHouse Campaign",
  addFirst: "Add the first cross promotion",
};

/** The account's cross promotions with their figures. */
export function InhousePage() {
  const [address, change] = useAddress(readCampaignsAddress);
  const today = dayOf(Date.now());
  const list = useInhouseList(address, address.de === today);
  const mayManage = useMayUse()("inhouse.manage");
  const [deleting, setDeleting] = useState<InhouseRow | null>(null);
  const { pending, refused, onSwitch } = useSwitching(useSetInhouseStatus().mutateAsync);
  const columns = useMemo(
    () => inhouseColumns({ mayManage, pending, refused, onSwitch, onDelete: setDeleting }),
    [mayManage, pending, refused, onSwitch],
  );
  return (
    <>
      <CampaignList
        words={WORDS}
        address={address}
        today={today}
        onChange={change}
        list={list}
        columns={columns}
        skeleton={{ rows: 4, rowHeight: 76 }}
        addAt={mayManage ? PATHS.inhouseAdd : null}
        note="Cross promotions are free of charge: they earn and cost nothing. App statistics list them under the network “Cross Promo”."
      />
      {deleting === null ? null : (
        <Suspense>
          <DeleteInhouse campaign={deleting} onClose={() => setDeleting(null)} />
        </Suspense>
      )}
    </>
  );
}
