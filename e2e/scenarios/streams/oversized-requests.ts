import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { ALL_PROTOCOLS, type Protocol } from './protocols.ts'
import { openServerMemory } from './server-memory.ts'
import type { StreamSite } from './stream-site.ts'
import { promptOf } from './timed-upstream.ts'

export interface OversizedPlan {
  /** How often each request is sent, each time in another protocol. */
  rounds: number
}

export interface OversizedResult {
  rejected: number
  /** Growth of heap and buffers between the first round and the last. */
  grownBytes: number
  /** Peak growth of the process, garbage included, over its size before the first request. */
  peakBytes: number
  failures: string[]
}

interface OversizedRequest {
  name: string
  headers?: Record<string, string>
  body(protocol: Protocol): Buffer
  status: number
  /** The expected error code. */
  code: string
}

const HUGE = 40 * 1024 ** 2
const DEPTH = 100_000

const OVERSIZED_REQUESTS: readonly OversizedRequest[] = [
  {
    name: 'an endless line from the provider',
    body: (protocol) => asJson(protocol, promptOf({ kind: 'line' })),
    status: 502,
    code: 'upstream_answer_too_large',
  },
  {
    name: 'a body of 40 MB',
    body: (protocol) => asJson(protocol, 'a'.repeat(HUGE)),
    status: 413,
    code: 'body_too_large',
  },
  {
    name: 'a body of 40 MB that does not say how long it is',
    headers: { 'transfer-encoding': 'chunked' },
    body: (protocol) => asJson(protocol, 'a'.repeat(HUGE)),
    status: 413,
    code: 'body_too_large',
  },
  {
    name: 'a body of 40 MB, packed',
    headers: { 'content-encoding': 'gzip' },
    body: (protocol) => gzipSync(asJson(protocol, 'a'.repeat(HUGE))),
    status: 413,
    code: 'body_overcompressed',
  },
  {
    name: 'a JSON of 100,000 levels',
    body: (protocol) => nestDeeply(asJson(protocol, 'DEEP').toString()),
    status: 400,
    code: 'body_too_complex',
  },
]

/** Sends requests that no real client or provider sends. Each is rejected with an error and leaves no memory behind. */
export async function rejectOversizedRequests(site: StreamSite, { rounds }: OversizedPlan): Promise<OversizedResult> {
  const memory = await openServerMemory(site.server)
  const failures: string[] = []
  let rejected = 0
  let peak = 0

  async function sendAll(round: number): Promise<void> {
    for (const [index, oversized] of OVERSIZED_REQUESTS.entries()) {
      const protocol = ALL_PROTOCOLS[(round + index) % ALL_PROTOCOLS.length]!
      const { status, text } = await send(site, protocol, oversized)
      peak = Math.max(peak, await memory.rss())
      if (status === oversized.status && text.includes(oversized.code)) rejected += 1
      else failures.push(`${oversized.name} in ${protocol.name}: ${status} ${text.slice(0, 300)}`)
    }
  }

  try {
    const { rss: rssBefore } = await memory.measure()
    await sendAll(0) // the first round is warm-up, not growth
    const before = await memory.measure()
    for (let round = 1; round < rounds; round += 1) await sendAll(round)
    const after = await memory.measure()
    return {
      rejected,
      grownBytes: after.heap + after.buffers - before.heap - before.buffers,
      peakBytes: peak - rssBefore,
      failures,
    }
  } finally {
    memory.close()
  }
}

function asJson(protocol: Protocol, prompt: string): Buffer {
  return Buffer.from(JSON.stringify(protocol.body(protocol.model, prompt)))
}

function nestDeeply(text: string): Buffer {
  return Buffer.from(text.replace('"DEEP"', '['.repeat(DEPTH) + ']'.repeat(DEPTH)))
}

/** Sends the whole body whatever the server responds meanwhile, as most clients do. */
function send({ server, key }: StreamSite, protocol: Protocol, { headers, body }: OversizedRequest) {
  return new Promise<{ status: number; text: string }>((resolve) => {
    const sending = request(
      server.url + protocol.path(protocol.model),
      { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers } },
      (response) => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('data', (piece: string) => (text += piece))
          .once('end', () => resolve({ status: response.statusCode ?? 0, text }))
      },
    )
    sending.once('error', (error) => resolve({ status: 0, text: error.message })).end(body(protocol))
  })
}
