/** Writes bits, most significant first, as video and audio bit streams want them. */
export interface BitWriter {
  bits(value: number, count: number): void;
  /** Exp-Golomb code, unsigned (H.264, section 9.1). */
  ue(value: number): void;
  /** Zero bits up to the next byte. */
  align(): void;
  /** Whole bytes; the position must be at a byte's edge. */
  bytes(bytes: Uint8Array): void;
  length(): number;
  finish(): Buffer;
}

export function bitWriter(): BitWriter {
  const chunks: number[] = [];
  let current = 0;
  let filled = 0;
  const bit = (one: number) => {
    current = (current << 1) | one;
    filled += 1;
    if (filled < 8) return;
    chunks.push(current);
    current = 0;
    filled = 0;
  };
  const bits = (value: number, count: number) => {
    for (let place = count - 1; place >= 0; place--) bit(Math.floor(value / 2 ** place) & 1);
  };
  const align = () => bits(0, (8 - filled) % 8);
  return {
    bits,
    align,
    ue: (value) => {
      const width = 32 - Math.clz32(value + 1);
      bits(0, width - 1);
      bits(value + 1, width);
    },
    bytes: (bytes) => {
      for (const byte of bytes) chunks.push(byte);
    },
    length: () => chunks.length * 8 + filled,
    finish: () => {
      align();
      return Buffer.from(chunks);
    },
  };
}
