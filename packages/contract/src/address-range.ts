import { z } from 'zod'

const Entry = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** An IPv4 or IPv6 address, or a range of them in CIDR notation. */
export function isAddressOrRange(text: string): boolean {
  return Entry.safeParse(text).success
}
