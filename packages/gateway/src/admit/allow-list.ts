import { BlockList, isIP } from 'node:net'
import { RecentMap } from '../recent-map.ts'

/** Addresses and ranges as people write them, taken apart once: calls come with few lists, over and over. */
const known = new RecentMap<string, BlockList | 'everybody'>(5_000)

/** Whether an address is on a token's list of addresses and ranges. A list of nothing but mistakes lets nobody in. */
export function isAddressAllowed(allowIps: string, address: string): boolean {
  if (allowIps === '') return true
  let list = known.get(allowIps)
  if (list === undefined) known.set(allowIps, (list = readList(allowIps)))
  if (list === 'everybody') return true
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

function readList(allowIps: string): BlockList | 'everybody' {
  const lines = allowIps
    .split(/[\n,]/)
    .map((line) => line.replace(/\s/g, ''))
    .filter((line) => line !== '')
  if (lines.length === 0) return 'everybody'
  const list = new BlockList()
  for (const line of lines) addLine(list, line)
  return list
}

function addLine(list: BlockList, line: string): void {
  const [address = '', prefix, ...rest] = line.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return
  const type = family === 4 ? 'ipv4' : 'ipv6'
  if (prefix === undefined) list.addAddress(address, type)
  else if (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)) {
    list.addSubnet(address, Number(prefix), type)
  }
}
