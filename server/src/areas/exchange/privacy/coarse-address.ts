import { isIP } from "node:net";

/**
 * An address without its last part, which identifies a household: the last byte of IPv4, or all but the first 48 bits
 * of IPv6.
 */
export function coarseAddress(ip: string): string {
  switch (isIP(ip)) {
    case 4:
      return ip.replace(/\d+$/, "0");
    case 6: {
      const [head = "", tail = ""] = ip.split("::");
      const groups = head === "" ? [] : head.split(":");
      // `::` stands for zero groups, so the groups after it are kept only if the gap is short.
      const gap = ip.includes("::") ? 8 - groups.length - (tail === "" ? 0 : tail.split(":").length) : 0;
      const all = [
        ...groups,
        ...Array.from({ length: Math.max(0, gap) }, () => "0"),
        ...(tail === "" ? [] : tail.split(":")),
      ];
      return `${all.slice(0, 3).join(":")}::`;
    }
    default:
      return "";
  }
}
