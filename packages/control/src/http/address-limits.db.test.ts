import { api } from '@tidegate/contract'
import { memoryLimiter } from '@tidegate/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestSite, type TestSite } from '../test-site.ts'

let site: TestSite
beforeEach(async () => {
  site = await startTestSite({ limiter: memoryLimiter({ now: () => 0 }) }) // no limit refills
  await site.initialise()
})
afterEach(() => site.close())

/** Logs in with a name that does not exist; every name once, so that no account is delayed. */
let names = 0
async function logIn(remoteAddress: string): Promise<number> {
  const payload = { username: `nobody${++names}`, password: 'spring-tide-42' }
  return (await site.app.inject({ method: 'POST', url: api.login.path, remoteAddress, payload })).statusCode
}

/** A request with a limit of 20 in 20 minutes for each address. */
async function ask(remoteAddress: string): Promise<number> {
  const payload = { email: 'a@example.com' }
  return (await site.app.inject({ method: 'POST', url: api.postVerification.path, remoteAddress, payload })).statusCode
}

async function countAllowed(addresses: readonly string[], send = ask): Promise<number> {
  let allowed = 0
  for (const address of addresses) if ((await send(address)) !== 429) allowed += 1
  return allowed
}

const hosts = (count: number) => Array.from({ length: count }, (_, at) => `2001:db8:1:1::${(at + 1).toString(16)}`)

describe('limits of addresses', () => {
  it('count all addresses of an IPv6 /64 together', async () => {
    expect(await countAllowed(hosts(26))).toBe(20)
    expect(await countAllowed(['2001:db8:1:2::1'])).toBe(1)
  })

  it('count every spelling of an address together', async () => {
    await countAllowed(Array.from({ length: 20 }, () => '2001:db8:1:2::1'))

    expect(await countAllowed(['2001:DB8:1:2::1', '2001:db8:1:2:0::1', '2001:0db8:1:2::1'])).toBe(0)
  })

  it('allow an IPv6 /48 ten times as much as a /64', async () => {
    const networks = Array.from({ length: 210 }, (_, at) => `2001:db8:1:${at.toString(16)}::1`)

    expect(await countAllowed(networks)).toBe(200)
    expect(await countAllowed(['2001:db8:2:1::1'])).toBe(1)
  })

  it('count IPv4 addresses one by one, also on an IPv6 socket', async () => {
    await countAllowed(Array.from({ length: 20 }, () => '203.0.113.7'))

    expect(await countAllowed(['::ffff:203.0.113.7', '203.0.113.8'])).toBe(1)
  })

  it('delay password guesses from all addresses of an IPv6 /64', async () => {
    expect(await countAllowed(hosts(9), logIn)).toBe(5)
  })
})
