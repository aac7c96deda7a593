import type { Mover } from "@millrace/contract";
import { RequestsLink } from "../../../shared/requests-link.tsx";
import type { Scope } from "../scope.ts";
import { AppLink } from "./app-link.tsx";
import { FilterLink } from "./filter-link.tsx";
import classes from "./parts.module.css";

/** A mover's name, which leads to its figures; a zone, which is no filter, leads to its requests. */
export function MoverName({ mover: { name, filter, uuid }, scope }: { mover: Mover; scope: Scope }) {
  const { key, value } = filter;
  if (key === "app_id") {
    return scope.uuid !== null || uuid === undefined ? name : <AppLink uuid={uuid} name={name} scope={scope} />;
  }
  if (key === "zone") {
    if (scope.uuid === null) return name;
    const { ds, de } = scope.filter;
    return (
      <RequestsLink uuid={scope.uuid} filter={{ ds, de, zone: value }} className={classes.nameLink}>
        {name}
      </RequestsLink>
    );
  }
  return <FilterLink filter={{ [key]: [value] }}>{name}</FilterLink>;
}
