import { Link } from "@tanstack/react-router";
import { BrandMark } from "../ui/brand-mark.tsx";
import classes from "./brand-link.module.css";
import { PATHS } from "./paths.ts";

/** The name of the product, which leads to its front door. */
export const BrandLink = ({ large = false }: { large?: boolean }) => (
  <Link to={PATHS.landing} className={classes.brand} data-large={large ? "" : undefined}>
    <BrandMark size={large ? 26 : 22} /> Millrace
  </Link>
);
