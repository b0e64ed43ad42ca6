import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestGateway } from './support/gateway.ts'
import { MemoryLimiter } from './support/limiter.ts'

const REQUESTS = 200
const SAMPLING_BYTES = 256
/**
 * Of the code of these packages, which V8 has hardly optimised yet. Measured: 35,000; on the general path 66,000. The
 * measurement of the built product is `npm run bench:gateway -- --allocations`.
 */
const CEILING_BYTES = 50_000
const OURS = /packages\/(gateway|dialects|providers|pricing)\/src\//

const COMPLETION = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'The tide is high. '.repeat(40) }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 200, completion_tokens: 160, total_tokens: 360 },
})
const CHAT = {
  model: 'gpt-4o',
  messages: [
    { role: 'system', content: 'You are a concise assistant.' },
    { role: 'user', content: 'How high does the tide rise tonight? '.repeat(20) },
  ],
  temperature: 0.7,
  max_tokens: 256,
}

let provider: Server
let gateway: TestGateway
beforeEach(async () => {
  provider = createServer((request, response) => {
    request.resume().once('end', () => response.setHeader('content-type', 'application/json').end(COMPLETION))
  })
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  gateway = await startGateway({
    channels: [aChannel({ baseUrl: `http://127.0.0.1:${(provider.address() as AddressInfo).port}` })],
    limiter: new MemoryLimiter(),
    caller: {
      unlimitedQuota: false,
      remainQuota: 1_000_000_000,
      rateLimit: { windowSeconds: 60, requests: 1_000_000, successes: 1_000_000 },
      tokensPerMinute: 1_000_000_000,
      maxConcurrency: 100,
    },
  })
})
afterEach(async () => {
  await gateway.close()
  provider.closeAllConnections()
  provider.close()
})

interface AllocationNode {
  readonly callFrame: { readonly url: string }
  readonly selfSize: number
  readonly children: readonly AllocationNode[]
}

function bytesOf(node: AllocationNode): number {
  const own = OURS.test(node.callFrame.url) ? node.selfSize : 0
  return node.children.reduce((sum, child) => sum + bytesOf(child), own)
}

async function sendChats(): Promise<void> {
  const body = JSON.stringify(CHAT)
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'content-length': body.length }
  for (let count = 0; count < REQUESTS; count += 1) {
    const { status } = await gateway.send({ method: 'POST', path: '/v1/chat/completions', headers, body })
    expect(status).toBe(200)
  }
}

it.skipIf(process.env.TIDEGATE_FAST_PATH === 'off')('allocates little for a plain chat', async () => {
  const session = new Session()
  session.connect()
  await sendChats()
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: SAMPLING_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  } as object)

  await sendChats()

  const { profile } = await session.post('HeapProfiler.stopSampling')
  session.disconnect()
  const bytesPerRequest = bytesOf(profile.head) / REQUESTS
  expect(bytesPerRequest).toBeGreaterThan(1_000) // the sampler sees our code
  expect(bytesPerRequest).toBeLessThan(CEILING_BYTES)
})
