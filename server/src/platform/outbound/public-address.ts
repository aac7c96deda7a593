import { BlockList, isIP } from "node:net";

/** Everything that is not a public unicast address: this machine, private networks, and what the registries reserve. */
const CLOSED = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  CLOSED.addSubnet(network, prefix, "ipv4");
}
// Of IPv6, only 2000::/3 is assigned. Within it, these ranges map to IPv4 or are reserved for documentation and tests.
const OPEN_V6 = new BlockList();
OPEN_V6.addSubnet("2000::", 3, "ipv6");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  CLOSED.addSubnet(network, prefix, "ipv6");
}
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Whether an IP address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const plain = MAPPED.exec(address)?.[1] ?? address;
  switch (isIP(plain)) {
    case 4:
      return !CLOSED.check(plain, "ipv4");
    case 6:
      return OPEN_V6.check(plain, "ipv6") && !CLOSED.check(plain, "ipv6");
    default:
      return false;
  }
}
