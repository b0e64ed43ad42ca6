import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { sendRequest } from '@tidegate/e2e/scenarios/attacks/support/send-request.ts'
import { type AttackSite, MODELS } from '@tidegate/e2e/scenarios/attacks/support/attack-site.ts'
import { Findings } from '@tidegate/e2e/scenarios/attacks/support/findings.ts'
import { MEGABYTE, MAX_GROWTH_BYTES, residentBytes } from '@tidegate/e2e/scenarios/attacks/support/raw-exchange.ts'

interface SlowKind {
  readonly name: string
  /** The documented time after which the last connection is closed, with some slack for a busy machine. */
  readonly goneAfterMs: number
  /** Sent at once. */
  begin(key: string): string | Buffer
  /** Sent every second afterwards. */
  readonly drip?: string
}

const BUSY_MS = 15_000
const HEADERS_MS = 25_000 + BUSY_MS
const STALL_MS = 30_000 + BUSY_MS
const REQUEST_MS = 305_000 + BUSY_MS
const CALM_MS = 1_500

const CHAT = JSON.stringify({ model: MODELS.openai, messages: [{ role: 'user', content: 'hi' }] })
const PACKED = gzipSync(CHAT.replace('hi', 'a'.repeat(10_000)))
const BOUNDARY = '--tide'

function head(path: string, key: string, lines: readonly string[]): string {
  return [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, ...lines, '', ''].join('\r\n')
}

const JSON_BODY = ['Content-Type: application/json', 'Content-Length: 5000']
const CHUNKED = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
const FORM = ['Content-Type: multipart/form-data; boundary=tide', 'Content-Length: 90000']

/** Clients that stop after a beginning, and headers that never end: closed within a minute. */
export const STALLED: readonly SlowKind[] = [
  { name: 'nothing at all', goneAfterMs: HEADERS_MS, begin: () => '' },
  {
    name: 'headers byte by byte',
    goneAfterMs: HEADERS_MS,
    begin: () => 'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nX-Slow: ',
    drip: 'a',
  },
  {
    name: 'half a body',
    goneAfterMs: STALL_MS,
    begin: (key) => head('/v1/chat/completions', key, JSON_BODY) + CHAT.slice(0, 20),
  },
  {
    name: 'half a login',
    goneAfterMs: STALL_MS,
    begin: (key) => head('/api/user/login', key, JSON_BODY) + '{"username":',
  },
  {
    name: 'half a chunk',
    goneAfterMs: STALL_MS,
    begin: (key) => `${head('/v1/messages', key, CHUNKED)}ffff\r\n${CHAT}`,
  },
  {
    name: 'half a form',
    goneAfterMs: STALL_MS,
    begin: (key) =>
      `${head('/v1/audio/transcriptions', key, FORM)}${BOUNDARY}\r\n` +
      'Content-Disposition: form-data; name="file"; filename="a.mp3"\r\n\r\nID3',
  },
  {
    name: 'half of a compressed body',
    goneAfterMs: STALL_MS,
    begin: (key) =>
      Buffer.concat([
        Buffer.from(
          head('/v1/chat/completions', key, ['Content-Encoding: gzip', `Content-Length: ${PACKED.byteLength}`]),
        ),
        PACKED.subarray(0, PACKED.byteLength / 2),
      ]),
  },
]

/** Bodies that continue with one byte per second: closed when a whole request should have arrived. */
export const DRIPPING: readonly SlowKind[] = [
  {
    name: 'a body byte by byte',
    goneAfterMs: REQUEST_MS,
    begin: (key) => head('/v1/chat/completions', key, JSON_BODY),
    drip: 'a',
  },
  {
    name: 'a body in chunks of one byte',
    goneAfterMs: REQUEST_MS,
    begin: (key) => head('/v1/responses', key, CHUNKED),
    drip: '1\r\na\r\n',
  },
]

/** Clients that never finish are disconnected in time, cost little memory, and do not block others. */
export async function holdOpen(
  site: AttackSite,
  { each, kinds }: { each: number; kinds: readonly SlowKind[] },
): Promise<Findings> {
  const findings = new Findings()
  const before = await residentBytes(site)
  const calm = await sendPlainRequests(site, findings, delay(CALM_MS))
  const held = kinds.flatMap((kind) => Array.from({ length: each }, () => ({ kind, ...hold(site, kind) })))
  let max = 0
  const over = Promise.all(
    held.map(async ({ kind, goneAfter }) => {
      const milliseconds = await goneAfter
      max = Math.max(max, milliseconds)
      findings.check(
        milliseconds < kind.goneAfterMs,
        () => `${kind.name} was held for ${Math.round(milliseconds / 1000)} s`,
      )
    }),
  )
  const meanwhile = await sendPlainRequests(site, findings, over)
  const grown = (await residentBytes(site)) - before
  findings.check(grown < MAX_GROWTH_BYTES, () => `${held.length} slow clients cost ${Math.round(grown / MEGABYTE)} MB`)
  // A busy machine is slow without them too.
  findings.check(
    meanwhile < Math.max(1_000, calm * 10),
    () => `others waited: p99 ${Math.round(meanwhile)} ms, ${Math.round(calm)} ms before`,
  )
  findings.notes.push(
    `${held.length} slow clients were gone after ${Math.round(max / 1000)} s and cost ${Math.round(grown / MEGABYTE)} MB; ` +
      `p99 of others ${Math.round(meanwhile)} ms, ${Math.round(calm)} ms before`,
  )
  return findings
}

/** The time until the server closed the connection, or the time at which it should have. */
function hold(site: AttackSite, { begin, drip, goneAfterMs }: SlowKind): { goneAfter: Promise<number> } {
  const started = performance.now()
  const socket = connect(site.server.port, '127.0.0.1')
  socket.on('error', () => {}).resume()
  socket.write(begin(site.user.apiKey))
  const dripping = drip === undefined ? undefined : setInterval(() => socket.write(drip), 1_000)
  return {
    goneAfter: new Promise((resolve) => {
      const tooLong = setTimeout(() => socket.destroy(), goneAfterMs)
      socket.once('close', () => {
        clearTimeout(tooLong)
        clearInterval(dripping)
        resolve(performance.now() - started)
      })
    }),
  }
}

/** This many of a hundred requests may fail: the fake provider can time out on a busy machine. */
const MAX_FAILED = 0.01

/** Sends one request after the other until stopped. Returns the 99th percentile of their durations. */
async function sendPlainRequests(site: AttackSite, findings: Findings, until: Promise<unknown>): Promise<number> {
  const times: number[] = []
  const failed: number[] = []
  const over = new AbortController()
  void until.then(() => over.abort())
  while (!over.signal.aborted) {
    const { status, milliseconds } = await sendRequest(site.url, {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${site.other.apiKey}` },
      body: CHAT,
    })
    if (status !== 200) failed.push(status)
    times.push(milliseconds)
    await delay(20)
  }
  const max = Math.ceil(times.length * MAX_FAILED)
  findings.check(failed.length <= max, () => `${failed.length} of ${times.length} calls of others: ${failed.join()}`)
  times.sort((one, other) => one - other)
  return times[Math.ceil(times.length * 0.99) - 1]!
}
