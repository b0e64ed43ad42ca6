import type { lookup } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { guardedLookup, isPublicAddress, isInternalHost, PrivateAddressError } from './guard-address.ts'

const PUBLIC = '93.184.216.34'
const PUBLIC_V6 = '2606:2800:220:1:248:1893:25c8:1946'

describe('isPublicAddress', () => {
  it.each([PUBLIC, PUBLIC_V6, '8.8.8.8', '172.32.0.1', '::ffff:8.8.8.8', '2a00:1450:4001:800::200e'])(
    'accepts %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  it.each([
    ['this machine', ['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '::1', '::']],
    ['a private network', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fd00:ec2::254']],
    ['a link', ['169.254.169.254', 'fe80::1', 'fe80::1%lo', 'fec0::1']],
    ['a provider’s inside', ['100.64.0.1', '100.100.100.200', '192.0.0.192', '168.63.129.16', '::ffff:168.63.129.16']],
    ['many at once', ['224.0.0.1', '255.255.255.255', 'ff02::1']],
    [
      'a test or a reserve',
      ['192.0.2.1', '198.18.0.1', '203.0.113.5', '240.0.0.1', '2001:db8::1', '3fff::1', '100::1'],
    ],
    ['another, mapped', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:0:127.0.0.1', '0:0:0:0:0:ffff:a9fe:a9fe']],
    ['another, in an old form', ['::127.0.0.1', '::7f00:1']],
    ['another, translated', ['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::7f00:1']],
    ['another, by a tunnel', ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2001:0:7f00:1::']],
    ['nothing at all', ['', 'localhost', '127.1', '2130706433', '0x7f.0.0.1', '0177.0.0.1', '1.2.3.4.5']],
  ])('rejects %s', (_what, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([])
  })
})

describe('isInternalHost', () => {
  it.each([
    'localhost',
    'app.localhost',
    'localhost.',
    'localhost..',
    'localhost.localdomain',
    '127.0.0.1..',
    'a..example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(124)}example`,
    'printer.local',
    'metadata.google.internal',
    'db',
    '127.0.0.1',
  ])('is true for %s', (host) => {
    expect(isInternalHost(host)).toBe(true)
  })

  it.each(['pictures.example', 'localhost.example', 'local.example', PUBLIC, `[${PUBLIC_V6}]`])(
    'is false for %s',
    (host) => {
      expect(isInternalHost(host)).toBe(false)
    },
  )
})

describe('guardedLookup', () => {
  /** The addresses of each name, one list per lookup. */
  function resolver(...results: string[][]) {
    let lookups = 0
    const resolve: unknown = (_name: string, _options: unknown, callback: (error: null, found: unknown) => void) => {
      const addresses = results[lookups++] ?? []
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    }
    return guardedLookup({ allowPrivateAddresses: false }, resolve as typeof lookup)
  }

  type Found = { error: Error | null; address: unknown; family: unknown }
  const lookUp = (look: ReturnType<typeof resolver>, all: boolean) =>
    new Promise<Found>((done) =>
      look('pictures.example', { all }, (error, address, family) => done({ error, address, family })),
    )

  it('returns no private addresses', async () => {
    const mixed = ['127.0.0.1', PUBLIC, '::1', '169.254.169.254', PUBLIC_V6]

    const every = await lookUp(resolver(mixed), true)
    const one = await lookUp(resolver(mixed), false)

    expect(every.address).toEqual([
      { address: PUBLIC, family: 4 },
      { address: PUBLIC_V6, family: 6 },
    ])
    expect(one).toMatchObject({ address: PUBLIC, family: 4 })
  })

  it.each([true, false])('fails if all addresses are private', async (all) => {
    const { error } = await lookUp(resolver(['127.0.0.1', 'fd00::1']), all)

    expect(error).toBeInstanceOf(PrivateAddressError)
  })

  it('checks each lookup, so that a changing name gains nothing', async () => {
    const changing = resolver([PUBLIC], ['127.0.0.1'], [PUBLIC])

    const found = [await lookUp(changing, true), await lookUp(changing, true), await lookUp(changing, true)]

    expect(found.map(({ error }) => error?.name)).toEqual([undefined, 'PrivateAddressError', undefined])
  })
})
