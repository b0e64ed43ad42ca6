import { createUpstreamClient, providerOf, readBody, type UpstreamClient } from '@tidegate/providers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addressOf, CASES, expectKeyInPlace, type VendorCase } from './case.ts'
import { startVendor, type FakeVendor } from './provider.ts'
import { json } from './wire-formats.ts'

let vendor: FakeVendor
let upstream: UpstreamClient
beforeAll(async () => {
  vendor = await startVendor()
  upstream = createUpstreamClient({ allowPrivateAddresses: true })
})
afterAll(async () => {
  await upstream.close()
  vendor.close()
})
afterEach(() => vendor.reset())

function targetOf({ row }: VendorCase) {
  return { baseUrl: addressOf(row, vendor.url), key: row.key(vendor.url), model: '', other: row.other }
}

/** Asks as an administrator's page does. A host that is always the same is played by the fake vendor, too. */
async function get(url: string, headers: Record<string, string>): Promise<unknown> {
  const { pathname, search } = new URL(url)
  const response = await upstream.open({ url: vendor.url + pathname + search, method: 'GET', headers })
  return JSON.parse((await readBody(response)).toString('utf8')) as unknown
}

describe.each(CASES.filter(({ row }) => row.modelList))('$name', (vendorCase) => {
  it('tells which models there are, to whoever has the key', async () => {
    const { path, writer, names } = vendorCase.row.modelList!
    const target = targetOf(vendorCase)
    const provider = providerOf(vendorCase.type)
    vendor.answer = () => writer

    const url = provider.modelList!.url(target)
    const answer = await get(url, provider.authorize(target))

    expect(new URL(url).origin).toBe(vendor.url)
    expect(vendor.requests[0]?.url).toBe(`/relay${path}`)
    expectKeyInPlace(vendorCase, vendor.requests[0]!, vendor.url)
    expect(provider.modelList!.read(answer)).toEqual(names)
    expect(provider.modelList!.read({})).toEqual([])
  })
})

describe.each(CASES.filter(({ row }) => row.balance))('$name', (vendorCase) => {
  it('tells what is left of an account', async () => {
    const { steps, host = vendor.url, header, amount } = vendorCase.row.balance!
    const target = targetOf(vendorCase)
    const { balance, authorize } = providerOf(vendorCase.type)
    const answers: unknown[] = []
    for (const [index, step] of balance!.steps.entries()) {
      vendor.answer = () => json(steps[index]?.reply)
      const url = step(target, answers, new Date('2026-06-15T12:00:00Z'))
      expect(new URL(url).origin).toBe(host)
      answers.push(await get(url, balance!.authorize?.(target.key) ?? authorize(target)))
    }

    expect(balance!.read(answers)).toBe(amount)
    expect(() => balance!.read(answers.map(() => ({})))).toThrow()
    expect(vendor.requests).toHaveLength(steps.length)
    for (const [index, request] of vendor.requests.entries()) {
      expect(request.url).toMatch(steps[index]!.path)
      if (header) expect(request.headers).toMatchObject({ [header]: target.key })
      else expectKeyInPlace(vendorCase, request, vendor.url)
    }
  })
})
