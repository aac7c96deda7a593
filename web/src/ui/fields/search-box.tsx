import { useEffect, useRef, useState } from "react";
import { SearchInput } from "./search-input.tsx";

interface SearchBoxProps {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}

const WAIT_MS = 250;

/** A search box that searches when typing pauses, or immediately on Enter. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    // Follows the address when it changes by Back or a link.
    if (value !== sent.current) {
      sent.current = value;
      setText(value);
    }
  }, [value]);
  const send = (next: string) => {
    if (next === sent.current) return;
    sent.current = next;
    onSearch(next);
  };
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  useEffect(() => {
    const timer = setTimeout(() => latest.current(text.trim()), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <SearchInput
      label={label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") send(text.trim());
      }}
    />
  );
}
