import type { ReactNode } from "react";
import { BrandLink } from "../../../shared/brand-link.tsx";
import { useSite } from "../../../shared/site.ts";
import { SkeletonBar } from "../../../ui/states/skeletons.tsx";
import classes from "./legal-frame.module.css";
import { SiteFooter } from "./site-footer.tsx";
import { useWindowTitle } from "../../../ui/use-window-title.ts";

/** A legal page: its title, its text, and the responsible operator. */
export function LegalFrame({ title, children }: { title: string; children: ReactNode }) {
  useWindowTitle(title);
  return (
    <div className={classes.page}>
      <header>
        <BrandLink />
      </header>
      <main>
        <h1 tabIndex={-1}>{title}</h1>
        {children}
        <h2>Operator</h2>
        <Operator />
      </main>
      <SiteFooter />
    </div>
  );
}

function Operator() {
  const site = useSite();
  if (site.isPending) return <SkeletonBar width="240px" height="40px" />;
  const operator = site.data?.operator;
  return (
    <address>
      {operator?.name ?? "The operator of this platform"}
      {operator?.address ? <span>{operator.address}</span> : null}
      {operator?.email ? <a href={`mailto:${operator.email}`}>{operator.email}</a> : null}
    </address>
  );
}
