/** A rectangle in CSS pixels, from the top left of the viewport. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** MRAID 3.0, `setResizeProperties`. */
export interface ResizeProperties {
  width: number;
  height: number;
  offsetX: number;
  offsetY: number;
  allowOffscreen: boolean;
}

/** The side of the area at the top right in which the user can always close a resized ad. */
export const CLOSE_AREA = 50;

/**
 * Where a resized ad goes: at its offset from its default position, and pushed onto the screen unless it may leave it. A text
 * says why it cannot be there: it does not fit, or its close area would be off the screen (MRAID 3.0, `resize`).
 */
export function resizedRect(
  from: Rect,
  to: ResizeProperties,
  screen: { width: number; height: number },
): Rect | string {
  const { width, height, offsetX, offsetY, allowOffscreen } = to;
  const rect = { x: from.x + offsetX, y: from.y + offsetY, width, height };
  if (allowOffscreen) {
    const [right, top] = [rect.x + width, rect.y];
    const isReachable = right <= screen.width && right >= CLOSE_AREA && top >= 0 && top + CLOSE_AREA <= screen.height;
    return isReachable ? rect : "The close area would be off the screen";
  }
  if (width > screen.width || height > screen.height) return "The size is larger than the screen";
  return {
    ...rect,
    x: Math.min(Math.max(0, rect.x), screen.width - width),
    y: Math.min(Math.max(0, rect.y), screen.height - height),
  };
}

/** Reads the properties that an ad has set; a text says what is wrong with them. */
export function readResizeProperties(value: unknown): ResizeProperties | string {
  if (typeof value !== "object" || value === null) return "Resize properties must be an object";
  const { width, height, offsetX, offsetY, allowOffscreen } = value as Record<string, unknown>;
  const isNumber = (each: unknown): each is number => typeof each === "number" && Number.isFinite(each);
  if (!isNumber(width) || !isNumber(height) || !isNumber(offsetX) || !isNumber(offsetY)) {
    return "width, height, offsetX and offsetY must be numbers";
  }
  if (width < CLOSE_AREA || height < CLOSE_AREA) return `The smallest size is ${CLOSE_AREA} x ${CLOSE_AREA}`;
  return { width, height, offsetX, offsetY, allowOffscreen: allowOffscreen !== false };
}
