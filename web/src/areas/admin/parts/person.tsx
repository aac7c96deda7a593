import type { ReactNode } from "react";
import classes from "./parts.module.css";

interface PersonProps {
  name: string;
  email: string;
  /** Small marks beside the name. */
  marks?: ReactNode;
}

/** Who somebody is: name and e-mail, below each other. */
export function Person({ name, email, marks }: PersonProps) {
  return (
    <span className={classes.person}>
      <span>
        <b title={name}>{name}</b>
        {marks === undefined ? null : <span className={classes.marks}>{marks}</span>}
      </span>
      <small title={email}>{email}</small>
    </span>
  );
}
