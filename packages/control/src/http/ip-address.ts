import { BlockList, isIP, SocketAddress } from 'node:net'

/** An address in its one spelling: IPv6 in short lower case without a zone, IPv4 within IPv6 as IPv4. */
export function normalizeAddress(text: string): string | undefined {
  const family = isIP(text)
  if (family !== 6) return family === 4 ? text : undefined
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  return address.startsWith(MAPPED) && address.includes('.') ? address.slice(MAPPED.length) : address
}

const MAPPED = '::ffff:'

/** An address as proxies write it: with or without a port, IPv6 with or without brackets. */
export function readHop(text: string): string | undefined {
  const hop = text.trim()
  const [, address = hop] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(hop) ?? /^([\d.]+):\d{1,5}$/.exec(hop) ?? []
  return normalizeAddress(address)
}

/** Addresses and ranges, compared by value: the spelling does not matter, nor whether IPv4 is written within IPv6. */
export function addressList(lines: readonly string[]): BlockList {
  const list = new BlockList()
  for (const line of lines) {
    const [address = '', bits] = line.trim().split('/')
    if (isIP(address) === 0) continue
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

export function isListed(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
