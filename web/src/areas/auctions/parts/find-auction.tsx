import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { PATHS } from "../../../shared/paths.ts";
import { auctionIdIn } from "../requests-address.ts";
import classes from "./request-filters.module.css";

/** Opens an auction by its id, which may be pasted with text around it. */
export function FindAuction() {
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const open = (typed: string): boolean => {
    const auction = auctionIdIn(typed);
    if (auction !== null) void navigate({ to: PATHS.auction, params: { id: auction }, search: {} });
    return auction !== null;
  };
  return (
    <form
      className={classes.find}
      onSubmit={(event) => {
        event.preventDefault();
        setWrong(!open(text));
      }}
    >
      <label htmlFor={id} className="visually-hidden">
        Auction ID
      </label>
      <input
        id={id}
        value={text}
        placeholder="Paste an auction ID"
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-error` : undefined}
        onChange={(event) => {
          setText(event.target.value);
          setWrong(false);
        }}
        onPaste={(event) => {
          if (open(event.clipboardData.getData("text"))) event.preventDefault();
        }}
      />
      <button type="submit" className={classes.button}>
        Open
      </button>
      {isWrong ? (
        <span id={`${id}-error`} role="alert" className={classes.wrong}>
          This is not an auction ID
        </span>
      ) : null}
    </form>
  );
}
