import { api } from '@tidegate/contract'
import { memoryLimiter } from '@tidegate/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAutomationClient } from './automation-client.ts'
import { PASSWORD, startTestSite, type TestSite } from './start-site.ts'

let site: TestSite
beforeEach(async () => {
  site = await startTestSite({ limiter: memoryLimiter({ now: () => 0 }) }) // no limit refills
  await site.initialise()
})
afterEach(() => site.close())

/** Logs in with a new unknown name each time, so that no account is delayed. */
let names = 0
async function logIn(remoteAddress: string): Promise<number> {
  const payload = { username: `nobody${++names}`, password: 'spring-tide-42' }
  return (await site.app.inject({ method: 'POST', url: api.login.path, remoteAddress, payload })).statusCode
}

/** A request with a limit of 20 in 20 minutes per address. */
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

describe('address limits', () => {
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

  it('count IPv4 addresses separately, also on an IPv6 socket', async () => {
    await countAllowed(Array.from({ length: 20 }, () => '203.0.113.7'))

    expect(await countAllowed(['::ffff:203.0.113.7', '203.0.113.8'])).toBe(1)
  })

  it('delay password guesses from all addresses of an IPv6 /64', async () => {
    expect(await countAllowed(hosts(9), logIn)).toBe(5)
  })
})

describe('the rate limit of /api', () => {
  const LIMIT = 10
  const ADDRESS = '203.0.113.50'
  let office: TestSite
  beforeEach(async () => {
    const apiLimit = { count: LIMIT, windowSeconds: 180 }
    office = await startTestSite({ limiter: memoryLimiter({ now: () => 0 }), site: { apiLimit } })
    await office.initialise()
  })
  afterEach(() => office.close())

  type Headers = Record<string, string>
  const countServed = async (count: number, url: string, headers: Headers = {}) => {
    let served = 0
    for (let at = 0; at < count; at += 1) {
      const { statusCode } = await office.app.inject({ url, headers, remoteAddress: ADDRESS })
      if (statusCode !== 429) served += 1
    }
    return served
  }
  /** A user who logs in elsewhere and then uses the address. */
  const colleague = async () => {
    const client = await office.signedIn('user')
    const { payload, user } = { payload: { username: client.username, password: PASSWORD }, user: client.userId! }
    const login = await office.app.inject({
      method: 'POST',
      url: '/api/user/login',
      payload,
      remoteAddress: '192.0.2.1',
    })
    const cookie = login.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    return { client, headers: { cookie, 'tidegate-user': String(user) } }
  }

  it('counts requests without a credential by address', async () => {
    expect(await countServed(LIMIT + 5, '/api/status')).toBe(LIMIT)
    expect(await countServed(1, '/api/nothing')).toBe(0)
  })

  it('does not count users behind one address against each other, nor against anonymous requests', async () => {
    await countServed(LIMIT + 1, '/api/status') // the limit of the address is exhausted
    for (let at = 0; at < 3; at += 1) {
      const { headers } = await colleague()

      expect(await countServed(3 * LIMIT, '/api/status', headers)).toBe(3 * LIMIT)
      expect(await countServed(3 * LIMIT, '/api/user/self', headers)).toBe(3 * LIMIT)
    }
    expect(await countServed(1, '/api/status')).toBe(0)
  })

  it('allows one user ten times as much, and counts automation tokens separately', async () => {
    const { client, headers } = await colleague()
    const { token } = await createAutomationClient(client, ['account:read'])
    const automation = { authorization: `Bearer ${token}` }

    expect(await countServed(10 * LIMIT + 5, '/api/user/self', automation)).toBe(10 * LIMIT)
    expect(await countServed(LIMIT, '/api/user/self', headers)).toBe(LIMIT)
  })

  it('counts rejected credentials by address', async () => {
    let served = 0
    for (let at = 0; at < LIMIT + 5; at += 1) {
      served += await countServed(1, '/api/user/self', { authorization: `Bearer guess-${at}`, 'tidegate-user': '1' })
    }

    expect(served).toBe(LIMIT)
    const cookies = await countServed(5, '/api/status', { cookie: 'tidegate_session=guessed' })
    expect(cookies).toBe(0)
    expect(await countServed(1, '/api/status')).toBe(1)
  })
})
