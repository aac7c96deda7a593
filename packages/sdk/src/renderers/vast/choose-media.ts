import type { DownloadBudget } from "../../core/index.ts";
import type { MediaFile } from "./read-vast.ts";

const TYPICAL_KBPS = 1_500;

/**
 * The file to play: of those that the device plays, the one whose size is nearest to the screen's, and the smaller one if the
 * session's budget does not suffice. Null if there is none; `isOverBudget` tells why.
 */
export function chooseMedia(
  files: readonly MediaFile[],
  of: { kind: "video" | "audio"; width: number; durationSeconds: number; canPlay: (type: string) => boolean },
  budget: DownloadBudget,
): { file: MediaFile | null; isOverBudget: boolean } {
  const playable = files.filter(({ type }) => type.toLowerCase().startsWith(`${of.kind}/`) && of.canPlay(type));
  const distance = ({ w }: MediaFile) => Math.abs(w - of.width);
  const bytes = ({ bytes, bitrate }: MediaFile) => bytes || ((bitrate || TYPICAL_KBPS) * 1000 * of.durationSeconds) / 8;
  const inOrder = [...playable].sort((a, b) => distance(a) - distance(b) || bytes(a) - bytes(b));
  const file = inOrder.find((each) => budget.take(bytes(each))) ?? null;
  return { file, isOverBudget: file === null && playable.length > 0 };
}
