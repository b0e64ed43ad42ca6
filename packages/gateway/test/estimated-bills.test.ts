import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestGateway } from './support/gateway.ts'

/** Providers that report less than they bill. */
let provider: Server
let body: string
let type: string
let gateway: TestGateway
beforeAll(async () => {
  provider = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': type }).end(body))
  })
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
})
afterAll(() => provider.close())
afterEach(() => gateway.close())

async function bill(
  path: string,
  request: { model: string },
  response: unknown,
  settings: object = {},
): Promise<number> {
  type = typeof response === 'string' ? 'text/event-stream' : 'application/json'
  body = typeof response === 'string' ? response : JSON.stringify(response)
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  gateway = await startGateway({
    channels: [aChannel({ baseUrl, models: [request.model] })],
    settings,
    startsAt: new Date('2026-11-16T12:00:00Z'),
  })
  gateway.credit.balance = 1_000_000_000
  const { status } = await gateway.send({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  expect(status).toBe(200)
  return gateway.credit.settled[0]!.receipt.quota
}

const picture = { data: [{ b64_json: 'AAAA' }] }

it('bills an image without reported usage as the output tokens of a large image', async () => {
  const quota = await bill('/v1/images/generations', { model: 'gpt-image-2', prompt: 'a harbour' } as never, picture)

  expect(quota).toBeGreaterThan(10_000) // 6,240 tokens at the rate of image output
})

it('bills images with a price per image', async () => {
  const quota = await bill('/v1/images/generations', { model: 'painter', prompt: 'a harbour' } as never, picture, {
    ModelRates: { painter: { fees: { image: 0.04 } } },
  })

  expect(quota).toBe(20_000)
})

it('bills a stream that ends without usage in the requested tier', async () => {
  const events = 'data: {"choices":[{"index":0,"delta":{"content":"High tide is at noon."}}]}\n\n'
  const chat = { model: 'gpt-5.4', stream: true, messages: [{ role: 'user', content: 'When is high tide, and why?' }] }
  await bill('/v1/chat/completions', chat, events)
  const usual = gateway.credit.settled[0]!.receipt
  await gateway.close()
  await bill('/v1/chat/completions', { ...chat, service_tier: 'priority' } as never, events)
  const fast = gateway.credit.settled[0]!.receipt

  expect(usual.tiers).toEqual([])
  expect(fast.tiers).toEqual([{ serviceTier: 'priority' }])
  expect(fast.quota).toBeGreaterThan(usual.quota)
})

it('bills several searches of a reranker as several fees', async () => {
  const response = { results: [], meta: { billed_units: { search_units: 3 } } }
  const request = { model: 'rerank-v4.0-pro', query: 'tide', documents: ['sea', 'moon'] }

  expect(await bill('/v1/rerank', request, response)).toBe(3750)
})

it('does not bill an option that was removed', async () => {
  const events = 'data: {"choices":[{"index":0,"delta":{"content":"High tide is at noon."}}]}\n\n'
  const messages = [{ role: 'user', content: 'When is high tide?' }]
  await bill(
    '/v1/chat/completions',
    { model: 'gpt-5.4', stream: true, service_tier: 'warp', messages } as never,
    events,
  )

  expect(gateway.credit.settled[0]!.receipt).toMatchObject({ tiers: [], unpriced: [] })
})
