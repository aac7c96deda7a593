import { useState } from "react";
import { messageOf } from "../../../shared/call-api.ts";

interface SettingOptions<V> {
  /** The saved value. */
  saved: V;
  /** Of the saved value. */
  revision?: string | undefined;
  /** Saves a draft that began with the value of a revision, and resolves to the saved value. */
  save: (draft: V, revision: string | undefined) => Promise<{ saved: V; revision?: string | undefined }>;
  /** A draft's error message, shown next to the button. */
  check?: (draft: V) => string | null;
  /** Drafts with the same key are equal. */
  keyOf?: (draft: V) => string;
}

/** A group of settings: the draft, whether it differs from the saved value, and the result of saving. */
export interface Setting<V> {
  draft: V;
  change: (draft: V) => void;
  dirty: boolean;
  state: "still" | "saving" | "saved" | "refused";
  message: string | null;
  save: () => Promise<void>;
  undo: () => void;
}

/** State of a group of settings that is saved on its own. Changes saved elsewhere show while there is no draft. */
export function useSetting<V>({ saved, revision, save, check, keyOf = JSON.stringify }: SettingOptions<V>): Setting<V> {
  const [base, setBase] = useState(saved);
  const [draft, setDraft] = useState(saved);
  const [begun, setBegun] = useState(revision);
  const [state, setState] = useState<Setting<V>["state"]>("still");
  const [saving, setSaving] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const dirty = keyOf(draft) !== keyOf(saved);
  if (keyOf(saved) !== keyOf(base)) {
    setBase(saved);
    if (keyOf(draft) === keyOf(base)) setDraft(saved);
  }
  // A draft keeps the revision that it began with, whatever is saved elsewhere meanwhile.
  if (!dirty && begun !== revision) setBegun(revision);
  const settle = (next: Setting<V>["state"], words: string | null = null) => {
    setState(next);
    setMessage(words);
  };
  // What was saved although its reply was lost.
  const isSavedAnyway = state === "refused" && !dirty;
  return {
    draft,
    dirty,
    state: saving ? "saving" : isSavedAnyway ? "saved" : state,
    message: isSavedAnyway ? null : message,
    change: (next) => {
      setDraft(next);
      settle("still");
    },
    undo: () => {
      setDraft(saved);
      settle("still");
    },
    save: async () => {
      if (saving) return;
      const wrong = check?.(draft) ?? null;
      if (wrong !== null) {
        settle("refused", wrong);
        return;
      }
      settle("still");
      setSaving(true);
      try {
        const inForce = await save(draft, begun);
        // Input typed while saving becomes the next draft.
        setDraft((now) => (keyOf(now) === keyOf(draft) ? inForce.saved : now));
        setBegun(inForce.revision);
        settle("saved");
      } catch (failure) {
        settle("refused", messageOf(failure));
      } finally {
        setSaving(false);
      }
    },
  };
}
