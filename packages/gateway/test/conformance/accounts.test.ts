import { createUpstreamClient, providerOf, readBody, type UpstreamClient } from '@tidegate/providers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addressOf, CASES, expectKeyInPlace, type ProviderCase } from './case.ts'
import { startProvider, type FakeProvider } from './provider.ts'
import { json } from './wire-formats.ts'

let provider: FakeProvider
let upstream: UpstreamClient
beforeAll(async () => {
  provider = await startProvider()
  upstream = createUpstreamClient({ allowPrivateAddresses: true })
})
afterAll(async () => {
  await upstream.close()
  provider.close()
})
afterEach(() => provider.reset())

function targetOf({ row }: ProviderCase) {
  return { baseUrl: addressOf(row, provider.url), key: row.key(provider.url), model: '', other: row.other }
}

/** Requests it as the administrator's page does. Fixed hosts are redirected to the fake provider too. */
async function get(url: string, headers: Record<string, string>): Promise<unknown> {
  const { pathname, search } = new URL(url)
  const response = await upstream.open({ url: provider.url + pathname + search, method: 'GET', headers })
  return JSON.parse((await readBody(response)).toString('utf8')) as unknown
}

describe.each(CASES.filter(({ row }) => row.modelList))('$name', (providerCase) => {
  it('lists the models, with the channel key', async () => {
    const { path, response: reply, names } = providerCase.row.modelList!
    const target = targetOf(providerCase)
    const definition = providerOf(providerCase.type)
    provider.respond = () => reply

    const url = definition.modelList!.url(target)
    const response = await get(url, definition.authorize(target))

    expect(new URL(url).origin).toBe(provider.url)
    expect(provider.requests[0]?.url).toBe(`/relay${path}`)
    expectKeyInPlace(providerCase, provider.requests[0]!, provider.url)
    expect(definition.modelList!.read(response)).toEqual(names)
    expect(definition.modelList!.read({})).toEqual([])
  })
})

describe.each(CASES.filter(({ row }) => row.balance))('$name', (providerCase) => {
  it('shows the balance of an account', async () => {
    const { steps, host = provider.url, header, amount } = providerCase.row.balance!
    const target = targetOf(providerCase)
    const { balance, authorize } = providerOf(providerCase.type)
    const responses: unknown[] = []
    for (const [index, step] of balance!.steps.entries()) {
      provider.respond = () => json(steps[index]?.reply)
      const url = step(target, responses, new Date('2026-06-15T12:00:00Z'))
      expect(new URL(url).origin).toBe(host)
      responses.push(await get(url, balance!.authorize?.(target.key) ?? authorize(target)))
    }

    expect(balance!.read(responses)).toBe(amount)
    expect(() => balance!.read(responses.map(() => ({})))).toThrow()
    expect(provider.requests).toHaveLength(steps.length)
    for (const [index, request] of provider.requests.entries()) {
      expect(request.url).toMatch(steps[index]!.path)
      if (header) expect(request.headers).toMatchObject({ [header]: target.key })
      else expectKeyInPlace(providerCase, request, provider.url)
    }
  })
})
