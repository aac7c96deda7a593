import {
  type AdminPartner,
  loadingText,
  PLATFORM_LABELS,
  PLATFORMS,
  WORLD_REGION_LABELS,
  WORLD_REGIONS,
} from "@millrace/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { Search } from "../../../shared/filters/address.ts";
import { useAddress } from "../../../shared/filters/use-address.ts";
import { PATHS } from "../../../shared/paths.ts";
import { PageTitle } from "../../../ui/page-title.tsx";
import { LoadedBlock } from "../../../ui/states/loaded-block.tsx";
import { RowsSkeleton, TableSkeleton } from "../../../ui/states/skeletons.tsx";
import { partnerQuery } from "../partners-api.ts";
import { AdminTabs } from "../parts/admin-tabs.tsx";
import { PartnerDay } from "../parts/partner-day.tsx";
import { PartnerForm } from "../parts/partner-form.tsx";
import { PartnerPrivacy } from "../parts/partner-privacy.tsx";
import { PartnerTestBlock } from "../parts/partner-test.tsx";
import classes from "../parts/parts.module.css";

const readKind = ({ kind }: Search): { kind: string | undefined } => ({
  kind: typeof kind === "string" && /^[a-z0-9_-]{1,64}$/.test(kind) ? kind : undefined,
});

/** A partner's day, its settings, and a test request on the wire. */
export function AdminPartnerPage() {
  const { id = "" } = useParams({ strict: false });
  const [{ kind }] = useAddress(readKind);
  const partner = useQuery(partnerQuery(id, kind));
  const [reloads, setReloads] = useState(0);
  const reload = async () => {
    const { error } = await partner.refetch();
    if (error === null) setReloads((count) => count + 1);
    return { error };
  };
  return (
    <>
      <PageTitle text={partner.data?.settings.name ?? "Partner"} />
      <div className={classes.bar}>
        <AdminTabs />
        <Link to={PATHS.adminPartners} activeOptions={{ exact: true }}>
          All partners
        </Link>
      </div>
      <div className={classes.blocks}>
        <LoadedBlock
          title={partner.data?.settings.name ?? "Partner"}
          repeatsHeading
          aside={(data) => data && factsOf(data)}
          query={partner}
          loading={loadingText("partner")}
          skeleton={<TableSkeleton rows={1} columns={6} />}
        >
          {(data) =>
            data.connected ? (
              <PartnerDay partner={data} />
            ) : (
              <p className={classes.about}>
                It is not connected yet. Agree with {data.settings.name} on an account, enter its settings, and send a
                test request. Publishers then find it among their partners and enter their keys.
              </p>
            )
          }
        </LoadedBlock>
        <LoadedBlock
          title="Settings"
          query={partner}
          loading={loadingText("settings")}
          skeleton={<RowsSkeleton rows={8} />}
        >
          {/* The form keeps what is typed while the figures are refreshed. */}
          {(data) => <PartnerForm key={`${data.id} ${data.connected} ${reloads}`} partner={data} onReload={reload} />}
        </LoadedBlock>
        {partner.data ? <PartnerPrivacy partner={partner.data} /> : null}
        <LoadedBlock
          title="Test request"
          aside="Marked as a test, of a device that does not exist"
          query={partner}
          loading={loadingText("test")}
          skeleton={<RowsSkeleton rows={2} />}
        >
          {(data) => <PartnerTestBlock key={data.id} partner={data} />}
        </LoadedBlock>
      </div>
    </>
  );
}

function factsOf({ id, demo, settings, adapter }: AdminPartner): string {
  const vendor = settings.gvl_id ?? adapter.gvl_id;
  const facts = [
    settings.kind === id ? id : `${id}, adapter ${settings.kind}`,
    `OpenRTB ${adapter.openrtb_version ?? settings.openrtb_version}`,
    (adapter.gzip ?? settings.gzip) ? "gzip" : "not compressed",
    vendor === null ? "no vendor id" : `vendor ${vendor}`,
    ...(settings.platforms.length < PLATFORMS.length
      ? [`only ${settings.platforms.map((platform) => PLATFORM_LABELS[platform]).join(", ")}`]
      : []),
    ...(settings.regions.length < WORLD_REGIONS.length
      ? [`only ${settings.regions.map((region) => WORLD_REGION_LABELS[region]).join("; ")}`]
      : []),
    ...(demo ? ["demo"] : []),
  ];
  return facts.join(" · ");
}
