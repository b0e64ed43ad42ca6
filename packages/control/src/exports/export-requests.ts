import { promisify } from 'node:util'
import { gzip as compress } from 'node:zlib'
import type { api } from '@tidegate/contract'
import { signS3Upload } from '@tidegate/providers'
import type { ExportDestinationRow } from '@tidegate/storage'
import type { PreparedPost } from '../messaging/outbox/send-webhook.ts'
import type { StoredSecrets } from './destination.ts'
import { optionsOf, parseHeaders } from './destination.ts'
import type { ExportRecord } from './export-record.ts'
import { langfuseAttributes } from './formats/langfuse.ts'
import { encodeLogs, encodeMetrics, encodeTraces } from './formats/otlp.ts'
import { standardWebhookHeaders } from './formats/sign-webhook.ts'

const gzip = promisify(compress)

/** What a delivery consists of. Its name and its IDs are the same for every attempt. */
export interface ExportBatch {
  /** Names the delivery at the receiver. */
  readonly name: string
  readonly records: readonly ExportRecord[]
  readonly now: Date
  readonly version: string
}

/** One request to the receiver. Large bodies exist only while it is sent. */
export interface ExportRequest {
  /** Recorded when the receiver accepted it. */
  readonly part: string
  prepare(): Promise<PreparedPost>
}

type Target = Pick<ExportDestinationRow, 'kind' | 'url' | 'options'>

/** The requests that bring a batch to a destination. */
export function exportRequests(target: Target, secrets: StoredSecrets, batch: ExportBatch): ExportRequest[] {
  switch (target.kind) {
    case 'otlp':
      return optionsOf(target).signals.map((signal) => ({
        part: signal,
        prepare: () =>
          postOtlp(otlpUrl(target.url, signal), parseHeaders(secrets.headers ?? ''), encode(signal, batch)),
      }))
    case 'langfuse':
      return [{ part: 'traces', prepare: () => postLangfuse(target, secrets, batch) }]
    case 's3':
      return [{ part: 'object', prepare: () => putObject(target, secrets, batch) }]
    case 'webhook':
      return [{ part: 'webhook', prepare: () => Promise.resolve(postWebhook(target, secrets, batch)) }]
  }
}

function encode(signal: api.ExportSignal, { records, version }: ExportBatch): object {
  const encoders = { traces: encodeTraces, metrics: encodeMetrics, logs: encodeLogs }
  return encoders[signal](records, { version })
}

/** People enter the base URL or the URL of traces. */
function otlpUrl(base: string, signal: api.ExportSignal): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/(\/v1\/(traces|metrics|logs))?\/*$/, '')}/v1/${signal}`
  return url.href
}

async function postOtlp(url: string, headers: Record<string, string>, body: object): Promise<PreparedPost> {
  return {
    url,
    headers: { ...BASE_HEADERS, ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: await gzip(JSON.stringify(body)),
  }
}

async function postLangfuse({ url }: Target, secrets: StoredSecrets, batch: ExportBatch): Promise<PreparedPost> {
  const key = Buffer.from(`${secrets.public_key ?? ''}:${secrets.secret_key ?? ''}`).toString('base64')
  const target = new URL(url)
  target.pathname = `${target.pathname.replace(/\/+$/, '')}/api/public/otel/v1/traces`
  const headers = { authorization: `Basic ${key}`, 'x-langfuse-ingestion-version': '4' }
  const { records, version } = batch
  return postOtlp(target.href, headers, encodeTraces(records, { version, extra: langfuseAttributes }))
}

async function putObject(target: Target, secrets: StoredSecrets, batch: ExportBatch): Promise<PreparedPost> {
  const { region, bucket, prefix, path_style: pathStyle } = optionsOf(target)
  const day = batch.records[0]!.time.slice(0, 10)
  const body = await gzip(batch.records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const { url, headers } = await signS3Upload(
    {
      endpoint: target.url,
      region,
      bucket,
      key: `${prefix}${day}/${batch.name}.jsonl.gz`,
      pathStyle,
      accessKeyId: secrets.access_key_id ?? '',
      secretAccessKey: secrets.secret_access_key ?? '',
    },
    { body, contentType: 'application/gzip' },
    batch.now,
  )
  return { method: 'PUT', url, headers: { ...BASE_HEADERS, ...headers }, body }
}

function postWebhook({ url }: Target, secrets: StoredSecrets, { name, records, now }: ExportBatch): PreparedPost {
  const timestamp = records.at(-1)!.time
  const body = JSON.stringify({ type: 'requests.exported', timestamp, data: { delivery: name, requests: records } })
  const signed = standardWebhookHeaders({ id: name, secret: secrets.secret ?? '', body }, now)
  return { url, headers: { ...BASE_HEADERS, 'content-type': 'application/json', ...signed }, body }
}

const BASE_HEADERS = { 'user-agent': 'tidegate', 'accept-encoding': 'identity' }

/** Records that the receiver did not accept, although it accepted the request. They would not be accepted later. */
export function countRejected(body: string): number {
  let parsed: Partial<PartialResult> | null
  try {
    parsed = JSON.parse(body) as Partial<PartialResult> | null
  } catch {
    return 0
  }
  const { rejectedSpans, rejectedDataPoints, rejectedLogRecords } = parsed?.partialSuccess ?? {}
  const rejected = Number(rejectedSpans ?? rejectedDataPoints ?? rejectedLogRecords ?? 0)
  const errors = Array.isArray(parsed?.errors) ? parsed.errors.length : 0
  return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : errors
}

interface PartialResult {
  /** OTLP. 64-bit integers are text in its JSON. */
  partialSuccess: { rejectedSpans?: unknown; rejectedDataPoints?: unknown; rejectedLogRecords?: unknown } | null
  /** Langfuse, with status 207. */
  errors: unknown[]
}
