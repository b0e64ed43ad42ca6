import { api } from '@tidegate/contract'
import { apiClient, SUPER_ADMIN } from '@tidegate/testing'
import { describe, expect, it } from 'vitest'
import { startFakeWorker } from '../../../browser/support/fake-worker.ts'
import { hostileAddresses, hostileNames, findUnexpected } from './hostile-addresses.ts'
import { IMAGE_URL_FIELDS, type ImageUrlField } from './image-url-fields.ts'
import { site } from './site.ts'

async function expectNothingReached(): Promise<void> {
  expect(await site.dialledInside()).toEqual([])
  expect(site.canaries.connections()).toBe(0)
}

/** Addresses in requests and settings of users. */
export function privateAddressTests(): void {
  describe('a file URL of a client (SSRF)', () => {
    it('has more than sixty hostile forms', () => {
      expect(new Set(hostileAddresses('http', ':1').map(({ url }) => url)).size).toBeGreaterThan(120)
    })

    it.each(IMAGE_URL_FIELDS)('is not fetched from a private address: $name', async (place) => {
      const port = `:${site.canaries.port}`
      const addresses = [...hostileAddresses('http', port), ...hostileNames('http', port)]
      // All fields use the same fetcher: one field stands for the others of its kind.
      if (place === IMAGE_URL_FIELDS[0]) {
        addresses.push(
          ...hostileAddresses('https', port),
          ...hostileNames('https', port),
          ...hostileAddresses('http', ''),
        )
      }

      const found = await findUnexpected(
        addresses,
        (url) => site.send(place, [url]),
        ({ status, message }) => status === 400 && message.startsWith('A file the request points to could not be read'),
      )

      expect(found).toEqual([])
      expect(site.provider.requests).toEqual([])
      await expectNothingReached()
    })
  })

  describe('a file that a worker of the operator would fetch', () => {
    it('is not requested when its address is private', async () => {
      const worker = await startFakeWorker()
      const setWorker = (value: string) => site.client.call(api.updateOption, { body: { key: 'WorkerUrl', value } })
      const [place] = IMAGE_URL_FIELDS as [ImageUrlField]
      await setWorker(`http://worker.example:${new URL(worker.url).port}`)
      await expect
        .poll(() => site.send(place, ['https://pictures.example/']).then(() => worker.requests.length))
        .toBe(1)

      const found = await findUnexpected(
        [...hostileAddresses('https', ''), ...hostileAddresses('https', ':8443'), ...hostileAddresses('http', '')],
        (url) => site.send(place, [url]),
        ({ status }) => status === 400,
      )
      await setWorker('')

      expect(found).toEqual([])
      expect(worker.requests.map(({ url }) => url)).toEqual(['https://pictures.example/'])
      await expectNothingReached()
      await worker.close()
    })
  })

  describe('an image in the playground', () => {
    it('is not fetched from a private address', async () => {
      const [place] = IMAGE_URL_FIELDS as [ImageUrlField]
      const { response } = await site.client.send(api.login, { body: SUPER_ADMIN })
      const headers = {
        'content-type': 'application/json',
        cookie: response.headers.getSetCookie()[0]!.split(';')[0]!,
        'tidegate-user': String(site.client.userId),
      }

      const found = await findUnexpected(
        hostileAddresses('http', `:${site.canaries.port}`),
        async (url) => {
          const body = JSON.stringify(place.body(place.model, url))
          return (await fetch(`${site.server.url}/pg/chat/completions`, { method: 'POST', headers, body })).status
        },
        (status) => status === 400,
      )

      expect(found).toEqual([])
      await expectNothingReached()
    })
  })

  describe('a webhook of a user', () => {
    const notifySettings = (url: string) => ({ notify_type: 'webhook', webhook_url: url }) as const

    it('is neither accepted nor tried when its address is private', async () => {
      const addresses = hostileAddresses('https', '')

      for (const endpoint of [api.updateSetting, api.testNotice]) {
        const found = await findUnexpected(
          addresses,
          async (url) => (await site.client.send(endpoint, { body: notifySettings(url) })).envelope,
          (envelope) => !envelope.success && /^webhook_(invalid|required)$/.test(envelope.code ?? ''),
        )
        expect(found).toEqual([])
      }
      await expectNothingReached()
    })

    it.each(hostileNames('https', ''))(
      'is not called when its name resolves to a private address: $name',
      async ({ url }) => {
        const user = await newUser()

        const delivery = await user.call(api.testNotice, {
          body: notifySettings(url),
          headers: { 'accept-language': 'en' },
        })

        expect([delivery.status, delivery.error]).toEqual(['failed', 'The address leads into a private network.'])
        await expectNothingReached()
      },
    )
  })
}

/** Shows that the counters work. */
export function reachableAddressTests(): void {
  describe('the same addresses, if the operator allows private ones', () => {
    it('are reached, which shows that the counters work', async () => {
      const [place] = IMAGE_URL_FIELDS as [ImageUrlField]
      const careless = await site.startCareless()
      const before = site.canaries.connections()
      const addresses = [
        ...hostileAddresses('http', `:${site.canaries.port}`),
        ...hostileNames('http', `:${site.canaries.port}`),
      ]
      const reached: string[] = []

      await findUnexpected(
        addresses.filter(({ name }) => REACHABLE.test(name)),
        (url) => site.send(place, [url], { of: careless }),
        ({ status }) => status === 200 && reached.push('') > 0,
      )

      expect(reached.length).toBeGreaterThan(40)
      expect(site.canaries.connections() - before).toBe(reached.length)
      for (const host of ['127.0.0.1', '127.0.0.2', '[::1]']) {
        expect(await site.send(place, [`http://${host}:${site.canaries.port}/`], { of: careless })).toMatchObject({
          status: 200,
        })
      }
    })
  })
}

/** Addresses that lead to a canary wherever they are dialled. The others would time out. */
const REACHABLE =
  /^(this machine: (127\.0\.0\.[12]$|\[::1|\[0:)|other notations|trailing dots|IPv4 inside IPv6: \[::ffff:7|user names|characters|percent|a name of this machine|white space|a backslash|its form|a name: (127|loopback|mapped|several))/

async function newUser() {
  const username = `u${(users += 1)}`
  const password = 'spring-tide-42'
  await site.client.call(api.createUser, { body: { username, display_name: username, password } })
  const user = apiClient(site.server.url)
  await user.login(username, password)
  return user
}
let users = 0
