import { randomBytes } from 'node:crypto'
import { api } from '@tidegate/contract'
import { addChannel, FAKE_IMAGE, fakeTaskProvider, type FakeTaskProvider } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostileAddresses, hostileNames } from './hostile-addresses.ts'
import { redirectTo } from './public-server.ts'
import { site } from './site.ts'

let provider: FakeTaskProvider
/**
 * Submits an image task whose provider reports the given image URL, and fetches it from the address that a client gets.
 * Returns nothing if the URL was not accepted.
 */
async function look(imageUrl: string): Promise<Response | undefined> {
  const headers = { authorization: `Bearer ${site.key}`, 'content-type': 'application/json' }
  const id = randomBytes(8).toString('hex')
  provider.nextSubmission({ id, code: 21, properties: { status: 'SUCCESS', imageUrl } })
  const body = JSON.stringify({ prompt: 'a lighthouse' })
  const submitted = await fetch(`${site.server.url}/mj/submit/imagine`, { method: 'POST', headers, body })
  expect(submitted.status).toBe(200)
  const callbacks = await fetch(`${site.server.url}/mj/task/${id}/fetch`, { headers })
  const { imageUrl: shown } = (await callbacks.json()) as { imageUrl: string }
  if (shown === '') return undefined
  expect(shown).toContain(`${site.server.url}/mj/image/`)
  return await fetch(shown)
}

/** Addresses that a provider reports for the image of a task. */
export function imageTaskTests(): void {
  beforeAll(async () => {
    provider = await fakeTaskProvider()
    const { port } = new URL(provider.url)
    const settings = { type: 5, key: provider.key, models: 'mj_imagine' }
    await addChannel(site.client, { url: `http://drawings.example:${port}` }, settings)
    await site.client.call(api.updateOption, { body: { key: 'ServerAddress', value: site.server.url } })
  })
  afterAll(() => provider?.close())

  it('returns an image that its provider hosts on the internet', async () => {
    const { port } = new URL(provider.url)

    const response = (await look(`http://drawings.example:${port}/images/a.png`))!

    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(FAKE_IMAGE))
  })

  it('returns nothing from private addresses, whatever URL a provider reports', async () => {
    const port = `:${site.canaries.port}`
    const inside = `http://127.0.0.1${port}/`
    const urls = [...hostileAddresses('http', port), ...hostileNames('http', port)].map(({ url }) => url)
    const tried = [
      ...urls.filter((_, at) => at % 4 === 0),
      ...[301, 302, 307].map((code) => site.publicUrl(redirectTo(code, inside))),
    ]

    const statuses = new Map<string, number | undefined>()
    for (const url of tried) statuses.set(url, (await look(url))?.status)

    expect([...statuses].filter(([, status]) => status !== 400 && status !== undefined)).toEqual([])
    expect([...statuses.values()].filter((status) => status === 400).length).toBeGreaterThan(20)
    expect(await site.dialledInside()).toEqual([])
    expect(site.canaries.connections()).toBe(0)
  })
}
