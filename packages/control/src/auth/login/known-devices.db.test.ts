import { randomInt } from 'node:crypto'
import { memoryLimiter } from '@tidegate/storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, startTestSite, type TestSite } from '../../../test/start-site.ts'

const DEVICE = 'tidegate_device'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite({ limiter: memoryLimiter({ now: () => 0 }) }) // delays never expire
  await site.initialise()
})
afterAll(() => site.close())

const someAddress = () => `198.51.${randomInt(256)}.${randomInt(1, 255)}`

async function login(username: string, password: string, { device = '', from = someAddress() } = {}) {
  const response = await site.app.inject({
    method: 'POST',
    url: '/api/user/login',
    remoteAddress: from,
    ...(device !== '' && { cookies: { [DEVICE]: device } }),
    payload: { username, password },
  })
  return {
    code: response.json<{ code?: string }>().code ?? 'ok',
    device: response.cookies.find(({ name }) => name === DEVICE)?.value ?? '',
  }
}

/** An account and the device cookie of its browser. */
async function ownerWithDevice() {
  const { username, userId } = await site.signedIn('user')
  return { username, userId: userId!, device: (await login(username, PASSWORD)).device }
}

async function guessAs(username: string, times: number, options?: Parameters<typeof login>[2]): Promise<string[]> {
  const codes: string[] = []
  for (let time = 0; time < times; time++) codes.push((await login(username, 'wrong password', options)).code)
  return codes
}

describe('a known device', () => {
  it('logs in at once while unknown devices are delayed', async () => {
    const owner = await ownerWithDevice()
    const guesses = await guessAs(owner.username, 20)

    const [withDevice, without] = [
      await login(owner.username, PASSWORD, { device: owner.device }),
      await login(owner.username, PASSWORD),
    ]

    expect(guesses.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'login_failed'))
    expect(guesses.slice(5)).toEqual(Array.from({ length: 15 }, () => 'login_delayed'))
    expect([withDevice.code, without.code]).toEqual(['ok', 'login_delayed'])
  })

  it('logs in from an address whose limit is exhausted', async () => {
    const owner = await ownerWithDevice()
    const office = someAddress()
    for (let time = 0; time < 6; time++) await login(`unknown-${time}`, 'wrong password', { from: office })

    const { code } = await login(owner.username, PASSWORD, { device: owner.device, from: office })

    expect(code).toBe('ok')
  })

  it('is delayed by its own failures only', async () => {
    const owner = await ownerWithDevice()

    const guesses = await guessAs(owner.username, 7, { device: owner.device })
    const right = await login(owner.username, PASSWORD, { device: owner.device })

    expect(guesses.slice(4)).toEqual(['login_failed', 'login_delayed', 'login_delayed'])
    expect(right.code).toBe('login_delayed')
    expect((await login(owner.username, PASSWORD)).code).toBe('ok')
  })

  it('is known for every account that logged in on it', async () => {
    const [first, second] = [await ownerWithDevice(), await site.signedIn('user')]
    const both = (await login(second.username, PASSWORD, { device: first.device })).device
    await guessAs(first.username, 6)
    await guessAs(second.username, 6)

    const codes = [
      await login(first.username, PASSWORD, { device: both }),
      await login(second.username, PASSWORD, { device: both }),
    ].map(({ code }) => code)

    expect(codes).toEqual(['ok', 'ok'])
  })
})

describe('a device cookie', () => {
  it('grants no access without the password', async () => {
    const { username, userId, device } = await ownerWithDevice()

    const self = await site.app.inject({
      url: '/api/user/self',
      cookies: { [DEVICE]: device, tidegate_session: device },
      headers: { 'tidegate-user': String(userId) },
    })

    expect(self.statusCode).toBe(401)
    expect((await login(username, 'wrong password', { device })).code).toBe('login_failed')
  })

  it('is ignored if it belongs to another account, was changed or is made up', async () => {
    const owner = await ownerWithDevice()
    const other = await ownerWithDevice()
    await guessAs(owner.username, 6)
    const [, ...rest] = other.device.split('.')
    const forged = [
      other.device,
      [owner.userId, ...rest].join('.'),
      `${owner.device}x`,
      `${owner.userId}.9999999999.a.b`,
      '~.~',
    ]

    const codes = []
    for (const device of forged) codes.push((await login(owner.username, PASSWORD, { device })).code)

    expect(codes).toEqual(forged.map(() => 'login_delayed'))
  })
})
