/** A file of an archive. */
export interface TarEntry {
  path: string;
  text: string;
}

const BLOCK = 512;

/** A tar archive (POSIX ustar) of text files. The same files give the same bytes: there is no time in it. */
export function tar(entries: readonly TarEntry[]): Buffer {
  const parts = entries.flatMap(({ path, text }) => {
    const body = Buffer.from(text);
    return [header(path, body.length), body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function header(path: string, size: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is longer than a tar archive takes`);
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at);
  block.write(path, 0);
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  block.write("0", 156);
  block.write("ustar\u000000", 257, "latin1");
  // The checksum counts its own field as spaces.
  block.write("        ", 148);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}
