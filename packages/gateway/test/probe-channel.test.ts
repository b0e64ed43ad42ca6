import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { CatalogChannel } from '../src/ports/index.ts'
import { aChannel } from './support/catalog.ts'
import { startGateway, type TestGateway } from './support/gateway.ts'

let upstream: FakeUpstream
let gateway: TestGateway
beforeAll(async () => {
  upstream = await fakeUpstream()
})
afterAll(() => upstream.close())
afterEach(async () => {
  upstream.reset()
  await gateway.close()
})

async function probe(fields: Partial<CatalogChannel> = {}, { stream = false, model = 'gpt-4o' } = {}) {
  const channel = aChannel({ baseUrl: upstream.url, keys: ['canary-key-1', 'canary-key-2'], ...fields })
  gateway = await startGateway({ channels: [channel] })
  return gateway.gateway.probe({ channelId: channel.id, model, stream, signal: new AbortController().signal })
}

describe('a probe', () => {
  it.each([
    [1, false],
    [1, true],
    [14, false],
    [14, true],
    [24, false],
    [24, true],
  ])('calls a channel of type %i like a request, streamed: %s, and charges nothing', async (type, stream) => {
    const result = await probe({ type, systemPrompt: 'Be brief.', enabled: false }, { stream })

    expect(result).toMatchObject({ ok: true, message: '', usage: { estimated: false } })
    expect(result.quota).toBeGreaterThan(0)
    expect(JSON.stringify(upstream.requests[0]!.body)).toContain('Be brief.')
    expect(gateway.credit.settled).toEqual([])
  })

  describe('an unsaved channel', () => {
    const probeUnsaved = (fields: Partial<CatalogChannel> = {}) =>
      gateway.gateway.probe({
        channelId: 0,
        unsaved: aChannel({ id: 0, baseUrl: upstream.url, keys: ['unsaved-key'], ...fields }),
        model: 'gpt-4o',
        stream: false,
        signal: new AbortController().signal,
      })

    it('leaves no trace in the metrics', async () => {
      gateway = await startGateway({ channels: [] })

      expect(await probeUnsaved()).toMatchObject({ ok: true, message: '' })
      expect(upstream.requests[0]!.headers.authorization).toBe('Bearer unsaved-key')
      expect(await probeUnsaved({ type: 2 })).toMatchObject({ ok: false })
      expect(await probeUnsaved({ baseUrl: 'http://127.0.0.1:9' })).toMatchObject({ ok: false })
      expect(gateway.gateway.takeMetrics()).toEqual([])
      expect(gateway.events).toEqual([])
      expect(gateway.gateway.openCircuits()).toBe(0)
    })

    it('does not reach a private address', async () => {
      gateway = await startGateway({ channels: [], allowPrivateAddresses: false })

      const result = await probeUnsaved()

      expect(result).toMatchObject({ ok: false, message: expect.stringContaining('private network') })
      expect(upstream.requests).toEqual([])
    })
  })

  it('uses an embedding for a model that supports nothing else', async () => {
    const model = 'text-embedding-3-small'

    const result = await probe({ models: [model] }, { model })

    expect(result).toMatchObject({ ok: true, usage: { input: 2, estimated: false } })
    expect(upstream.requests[0]).toMatchObject({ path: '/v1/embeddings', body: { model, input: 'hello world' } })
    expect(gateway.credit.settled).toEqual([])
  })

  it("returns the provider's error and whether it rejected the key, without the key", async () => {
    upstream.next({ status: 401, body: { error: { message: 'Bad key canary-key-1', code: 'invalid_api_key' } } })

    expect(await probe()).toMatchObject({ ok: false, message: 'Bad key ***', status: 401, keyRejected: true })
  })

  it('fails when a stream breaks after it began', async () => {
    upstream.next({ text: 'some words here', cut: { afterEvents: 2 } })

    expect(await probe({}, { stream: true })).toMatchObject({ ok: false })
  })

  it('explains that a channel does not exist', async () => {
    gateway = await startGateway({ channels: [] })

    const result = await gateway.gateway.probe({
      channelId: 9,
      model: 'm',
      stream: false,
      signal: new AbortController().signal,
    })

    expect(result.ok).toBe(false)
    expect(result.message).not.toBe('')
  })
})
