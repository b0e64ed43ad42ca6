import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import type { RunningServer } from '@tidegate/testing'
import { sendRequest } from './support/send-request.ts'
import { type AttackSite, MODELS } from './support/attack-site.ts'
import { brief, Findings } from './support/findings.ts'
import { addAccount } from './support/accounts.ts'
import type { HealthReport } from './support/poll-health.ts'
import { MEGABYTE } from './support/raw-exchange.ts'

/** About the heap that Node uses in a container of 1 GB. */
const HEAP_MB = 512
const MAX_RESIDENT_BYTES = 1024 * MEGABYTE
const HEALTH_MS = 100

interface HostileBody {
  readonly name: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly statuses: readonly number[]
}

interface HostilePlan {
  /** The total number of bodies; the kinds take turns. */
  readonly bodies: number
  readonly concurrency: number
  /** The paths to send to. Default: all that take JSON, which share one reader. */
  readonly paths?: readonly string[]
}

const PATHS = [
  '/v1/chat/completions',
  '/v1/messages',
  '/v1/responses',
  '/v1beta/interactions',
  '/v1/messages/count_tokens',
]

/**
 * Sends bodies that are expensive to unpack or parse, from a user without balance, to a process with a small heap. Each
 * must be rejected, and other requests must not be delayed.
 */
export async function sendHostileBodies(
  site: AttackSite,
  { bodies, concurrency, paths = PATHS }: HostilePlan,
): Promise<Findings> {
  const findings = new Findings()
  await site.setOption('QuotaForNewUser', '0')
  const { apiKey } = await addAccount(site.url, 'pauper')
  const server = await site.startAnother({ NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` })
  try {
    const kinds = hostileBodies(paths)
    const health = watchHealth(server)
    const before = await peakResident(server)
    let sent = 0
    const sender = async () => {
      while (sent < bodies) {
        const kind = kinds[sent % kinds.length]!
        sent += 1
        await sendOne(server, apiKey, kind, findings)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, sender))
    const { slowestMs, p99Ms, polls, isGone } = await health.stop()
    const peak = await peakResident(server)
    const alive = await sendRequest(server.url, { path: '/healthz' }).then(
      ({ status }) => status,
      () => 0,
    )
    findings.check(alive === 200 && !isGone, () => `/healthz returns ${alive} after ${sent} bodies`)
    findings.checkTime(slowestMs < HEALTH_MS, () => `/healthz took ${Math.round(slowestMs)} ms`)
    findings.checkTime(!(peak > MAX_RESIDENT_BYTES), () => `the process came to ${Math.round(peak / MEGABYTE)} MB`)
    findings.notes.push(
      `${sent} bodies, ${concurrency} at once, heap of ${HEAP_MB} MB: slowest of ${polls} /healthz ${Math.round(slowestMs)} ms ` +
        `(99 of 100 within ${Math.round(p99Ms)} ms), ` +
        `peak RSS ${Math.round(peak / MEGABYTE)} MB (${Math.round(before / MEGABYTE)} MB before)`,
    )
    return findings
  } finally {
    await server.stop()
  }
}

async function sendOne(
  server: RunningServer,
  apiKey: string,
  { name, path, headers, body, statuses }: HostileBody,
  findings: Findings,
): Promise<void> {
  const key: Record<string, string> = path.startsWith('/api/') ? {} : { authorization: `Bearer ${apiKey}` }
  const response = await sendRequest(server.url, { method: 'POST', path, headers: { ...key, ...headers }, body }).catch(
    (error: NodeJS.ErrnoException) => ({ status: error.code ?? error.message, text: '' }),
  )
  // A connection closed before the body was sent is a rejection too.
  const rejected = ['EPIPE', 'ECONNRESET', ...statuses].includes(response.status)
  findings.check(rejected, () => `${name} at ${path}: ${response.status} ${brief(response.text)}`)
}

function hostileBodies(paths: readonly string[]): HostileBody[] {
  const chat = (extra: string) =>
    `{"model":"${MODELS.openai}","messages":[{"role":"user","content":"hi"}],"x":${extra}}`
  const list = (length: number, item: (index: number) => string) => Array.from({ length }, (_, at) => item(at)).join()
  const texts = {
    deep: chat('['.repeat(16_000_000) + ']'.repeat(16_000_000)),
    wide: chat(`[${'{},'.repeat(10_000_000)}{}]`),
    string: chat(`"${'a'.repeat(31_000_000)}"`),
    escapes: chat(`"${'\\"'.repeat(15_000_000)}"`),
    space: chat(`${' '.repeat(30_000_000)}1`),
    keys: chat(`{${list(90_000, (at) => `"k${at}":1`)}}`),
    objects: chat(`[${list(11_000, (at) => `{${list(8, (key) => `"k${at}_${key}":1`)}}`)}]`),
    duplicates: `{"model":"${MODELS.openai}"${`,"model":"${MODELS.openai}"`.repeat(300_000)}}`,
    inputs: `{"model":"text-embedding-3-small","input":[${list(300_000, () => '"a"')}]}`,
    login: `{"username":"a","password":"b",${list(100_000, (at) => `"k${at}":1`)}}`.slice(0, MEGABYTE - 1),
  }
  const json = { 'content-type': 'application/json' }
  const compressedBodies = (name: keyof typeof texts, path: string, statuses: readonly number[]): HostileBody[] => [
    {
      name: `${name}, gzip`,
      path,
      headers: { ...json, 'content-encoding': 'gzip' },
      body: gzipSync(texts[name]),
      statuses,
    },
    { name: `${name}, br`, path, headers: { ...json, 'content-encoding': 'br' }, body: brotli(texts[name]), statuses },
    {
      name: `${name}, deflate`,
      path,
      headers: { ...json, 'content-encoding': 'deflate' },
      body: deflateSync(texts[name]),
      statuses,
    },
  ]
  const plain = (
    name: keyof typeof texts,
    path: string,
    statuses: readonly number[],
    length?: number,
  ): HostileBody => ({
    name,
    path,
    headers: json,
    body: Buffer.from(texts[name].slice(0, length)),
    statuses,
  })
  const rejected = [400, 402, 413]
  return [
    ...paths.flatMap((path) => [
      ...compressedBodies('deep', path, rejected),
      ...compressedBodies('wide', path, rejected),
      ...compressedBodies('string', path, rejected),
      plain('keys', path, rejected),
      plain('objects', path, rejected),
      plain('duplicates', path, rejected),
      plain('space', path, rejected, 1_000_000),
      plain('escapes', path, rejected, 1_000_000),
      plain('deep', path, rejected, 1_000_000),
    ]),
    plain('string', '/v1/chat/completions', rejected),
    plain('inputs', '/v1/embeddings', rejected),
    plain('deep', '/api/user/login', [400, 413], 1_000_000),
    plain('wide', '/api/user/login', [400, 413], 1_000_000),
    plain('login', '/api/user/login', [400, 413]),
    plain('wide', '/api/token/', [401, 413], 1_000_000),
    plain('login', '/api/token/', [401, 413]),
    form(100_000),
  ]
}

function form(fields: number): HostileBody {
  const field = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n'
  return {
    name: `a form of ${fields} fields`,
    path: '/v1/audio/transcriptions',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: Buffer.from(`${field.repeat(fields)}--b--\r\n`),
    statuses: [400, 402, 413],
  }
}

function brotli(text: string): Buffer {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
}

/** Polls the health endpoint like a load balancer. */
function watchHealth({ url }: RunningServer) {
  const thread = new Worker(new URL('./support/poll-health.ts', import.meta.url), { workerData: { url } })
  const report = new Promise<HealthReport>((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
  })
  return {
    stop() {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      thread.postMessage('stop')
      return report
    },
  }
}

/** The peak memory of the process. NaN where the system does not report it. */
async function peakResident({ pid }: RunningServer): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1024
}
