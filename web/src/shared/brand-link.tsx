import { Link } from "@tanstack/react-router";
import { BrandMark } from "../ui/brand-mark.tsx";
import classes from "./brand-link.module.css";
import { PATHS } from "./paths.ts";

/** The product's name as a link to the landing page. */
export const BrandLink = ({ large = false }: { large?: boolean }) => (
  <Link to={PATHS.landing} className={classes.brand} data-large={large ? "" : undefined}>
    <BrandMark size={large ? 26 : 22} /> Millrace
  </Link>
);
