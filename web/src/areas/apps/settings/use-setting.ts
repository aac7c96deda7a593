import { useState } from "react";
import { messageOf } from "../../../shared/call-api.ts";

interface SettingOptions<V> {
  /** What is in force. */
  saved: V;
  /** Saves a draft and resolves to what is in force then. */
  save: (draft: V) => Promise<V>;
  /** What is wrong with a draft: a sentence that stands beside the button. */
  check?: (draft: V) => string | null;
  /** Two drafts of the same key say the same. */
  keyOf?: (draft: V) => string;
}

/** One block of settings: what is in force, what is being changed, and how saving it went. */
export interface Setting<V> {
  draft: V;
  change: (draft: V) => void;
  dirty: boolean;
  state: "still" | "saving" | "saved" | "refused";
  message: string | null;
  save: () => Promise<void>;
  undo: () => void;
}

/** Keeps a block of settings that is saved on its own. What was saved elsewhere shows as long as nothing is changed here. */
export function useSetting<V>({ saved, save, check, keyOf = JSON.stringify }: SettingOptions<V>): Setting<V> {
  const [base, setBase] = useState(saved);
  const [draft, setDraft] = useState(saved);
  const [state, setState] = useState<Setting<V>["state"]>("still");
  const [saving, setSaving] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const dirty = keyOf(draft) !== keyOf(saved);
  if (keyOf(saved) !== keyOf(base)) {
    setBase(saved);
    if (keyOf(draft) === keyOf(base)) setDraft(saved);
  }
  const settle = (next: Setting<V>["state"], words: string | null = null) => {
    setState(next);
    setMessage(words);
  };
  return {
    draft,
    dirty,
    state: saving ? "saving" : state,
    message,
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
        const inForce = await save(draft);
        // What was changed meanwhile is the next draft; nothing that is typed is lost.
        setDraft((now) => (keyOf(now) === keyOf(draft) ? inForce : now));
        settle("saved");
      } catch (failure) {
        settle("refused", messageOf(failure));
      } finally {
        setSaving(false);
      }
    },
  };
}
