import { BlockList, isIP } from 'node:net'

/** Whether an address is on a token's list of addresses and ranges. A list of nothing but mistakes lets nobody in. */
export function isAddressAllowed(allowIps: string, address: string): boolean {
  const lines = allowIps
    .split(/[\n,]/)
    .map((line) => line.replace(/\s/g, ''))
    .filter((line) => line !== '')
  if (lines.length === 0) return true
  const list = new BlockList()
  for (const line of lines) addLine(list, line)
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
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
