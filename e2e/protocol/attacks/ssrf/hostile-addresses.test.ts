import { api } from '@tidegate/contract'
import { apiClient, SUPER_ADMIN } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFakeWorker } from '../../../browser/support/fake-worker.ts'
import { hostileAddresses, hostileNames, surprises } from './hostile-addresses.ts'
import { PICTURE_PLACES, type PicturePlace } from './image-url-fields.ts'
import { type AttackedSite, openAttackedSite } from './site.ts'

let site: AttackedSite
beforeAll(async () => {
  site = await openAttackedSite()
})
afterAll(() => site?.close())

async function nothingWasReached(): Promise<void> {
  expect(await site.dialledInside()).toEqual([])
  expect(site.canaries.connections()).toBe(0)
}

describe('a file a client points to (SSRF)', () => {
  it('comes in more than sixty hostile forms', () => {
    expect(new Set(hostileAddresses('http', ':1').map(({ url }) => url)).size).toBeGreaterThan(120)
  })

  it.each(PICTURE_PLACES)('is not fetched from inside: $name', async (place) => {
    const port = `:${site.canaries.port}`
    const addresses = [...hostileAddresses('http', port), ...hostileNames('http', port)]
    // They are fetched by the same hand wherever they stand: one place shows the others of their kind.
    if (place === PICTURE_PLACES[0]) {
      addresses.push(
        ...hostileAddresses('https', port),
        ...hostileNames('https', port),
        ...hostileAddresses('http', ''),
      )
    }

    const found = await surprises(
      addresses,
      (url) => site.ask(place, [url]),
      ({ status, message }) => status === 400 && message.startsWith('A file the request points to could not be read'),
    )

    expect(found).toEqual([])
    expect(site.vendor.requests).toEqual([])
    await nothingWasReached()
  })
})

describe('a file that a worker of the operator would fetch', () => {
  it('is not asked of it when it can only be inside', async () => {
    const worker = await startFakeWorker()
    const setWorker = (value: string) => site.client.call(api.updateOption, { body: { key: 'WorkerUrl', value } })
    const [place] = PICTURE_PLACES as [PicturePlace]
    await setWorker(`http://worker.example:${new URL(worker.url).port}`)
    await expect.poll(() => site.ask(place, ['https://pictures.example/']).then(() => worker.orders.length)).toBe(1)

    const found = await surprises(
      [...hostileAddresses('https', ''), ...hostileAddresses('https', ':8443'), ...hostileAddresses('http', '')],
      (url) => site.ask(place, [url]),
      ({ status }) => status === 400,
    )
    await setWorker('')

    expect(found).toEqual([])
    expect(worker.orders.map(({ url }) => url)).toEqual(['https://pictures.example/'])
    await nothingWasReached()
    await worker.close()
  })
})

describe('a picture in the playground', () => {
  it('is not fetched from inside', async () => {
    const [place] = PICTURE_PLACES as [PicturePlace]
    const { response } = await site.client.send(api.login, { body: SUPER_ADMIN })
    const headers = {
      'content-type': 'application/json',
      cookie: response.headers.getSetCookie()[0]!.split(';')[0]!,
      'tidegate-user': String(site.client.userId),
    }

    const found = await surprises(
      hostileAddresses('http', `:${site.canaries.port}`),
      async (url) => {
        const body = JSON.stringify(place.body(place.model, url))
        return (await fetch(`${site.server.url}/pg/chat/completions`, { method: 'POST', headers, body })).status
      },
      (status) => status === 400,
    )

    expect(found).toEqual([])
    await nothingWasReached()
  })
})

describe('a webhook a user names', () => {
  const told = (url: string) => ({ notify_type: 'webhook', webhook_url: url }) as const

  it('is not taken when it can only lead inside, nor tried', async () => {
    const addresses = hostileAddresses('https', '')

    for (const endpoint of [api.updateSetting, api.testNotice]) {
      const found = await surprises(
        addresses,
        async (url) => (await site.client.send(endpoint, { body: told(url) })).envelope,
        (envelope) => !envelope.success && /^webhook_(invalid|required)$/.test(envelope.code ?? ''),
      )
      expect(found).toEqual([])
    }
    await nothingWasReached()
  })

  it.each(hostileNames('https', ''))('is not called when its name leads inside: $name', async ({ url }) => {
    const user = await newUser()

    const delivery = await user.call(api.testNotice, { body: told(url), headers: { 'accept-language': 'en' } })

    expect([delivery.status, delivery.error]).toEqual(['failed', 'The address leads into a private network.'])
    await nothingWasReached()
  })
})

describe('the same addresses, where the operator allows private ones', () => {
  it('reach what listens there, so that the counting is not blind', async () => {
    const [place] = PICTURE_PLACES as [PicturePlace]
    const careless = await site.startCareless()
    const before = site.canaries.connections()
    const addresses = [
      ...hostileAddresses('http', `:${site.canaries.port}`),
      ...hostileNames('http', `:${site.canaries.port}`),
    ]
    const reached: string[] = []

    await surprises(
      addresses.filter(({ name }) => REACHABLE.test(name)),
      (url) => site.ask(place, [url], { of: careless }),
      ({ status }) => status === 200 && reached.push('') > 0,
    )

    expect(reached.length).toBeGreaterThan(40)
    expect(site.canaries.connections() - before).toBe(reached.length)
    for (const host of ['127.0.0.1', '127.0.0.2', '[::1]']) {
      expect(await site.ask(place, [`http://${host}:${site.canaries.port}/`], { of: careless })).toMatchObject({
        status: 200,
      })
    }
  })
})

/** Those that lead to a canary wherever they are dialled; the others would be waited for in vain. */
const REACHABLE =
  /^(this machine: (127\.0\.0\.[12]$|\[::1|\[0:)|another way|dots at its end|version 4 within version 6: \[::ffff:7|somebody|letters|percent|a name of this machine|white space|a backslash|its form|a name: (127|loopback|mapped|several))/

async function newUser() {
  const username = `u${(users += 1)}`
  const password = 'spring-tide-42'
  await site.client.call(api.createUser, { body: { username, display_name: username, password } })
  const user = apiClient(site.server.url)
  await user.login(username, password)
  return user
}
let users = 0
