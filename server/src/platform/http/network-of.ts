import { isIPv6 } from "node:net";

/**
 * The key to count an address under: the address itself or, for IPv6, its first 64 bits, since a single customer has
 * all
 * addresses below them (RFC 6177). Text that is not an address is returned unchanged. A closed socket has no address:
 * "".
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return "";
  if (!address.includes(":") || !isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = "", tail] = address.replace(/%.*$/, "").toLowerCase().split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  // The groups that `::` replaces. An IPv4 address at the end is two groups, both after the first 64 bits.
  const gap = tail === undefined ? 0 : 8 - first.length - last.length - (last.at(-1)?.includes(".") === true ? 1 : 0);
  const groups = [...first, ...Array.from({ length: Math.max(0, gap) }, () => "0"), ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
