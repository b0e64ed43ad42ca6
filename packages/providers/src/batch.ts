import { asJsonObject, asList, asText, type JsonObject, parseJsonObject } from '@tidegate/dialects'

/** A request of a batch, with the name that its result is found by. */
export interface UpstreamLine {
  readonly name: string
  readonly endpoint: string
  /** The body of the request as JSON. */
  readonly body: string
}

export interface UpstreamBatchError {
  readonly code: string
  readonly message: string
  readonly line: number | null
}

/** A batch at its provider. */
export interface UpstreamBatch {
  readonly id: string
  readonly state: 'running' | 'cancelling' | 'ended' | 'failed'
  /** How a batch ended that has requests without a result. */
  readonly outcome: 'canceled' | 'expired'
  /** Why a batch could not run. */
  readonly errors: readonly UpstreamBatchError[]
  /** Paths of the results. */
  readonly results: readonly string[]
  readonly createdAt: Date
  readonly total: number
  /** Our id, where the provider stores it. */
  readonly ownId: string
}

export interface UpstreamResult {
  readonly name: string
  readonly state: 'succeeded' | 'errored' | 'canceled' | 'expired'
  /** 0 for a request that did not run. */
  readonly status: number
  readonly body: JsonObject | undefined
}

/** How a provider runs batches of requests. Paths are below the base URL. */
export interface BatchApi {
  /** Uses the batch API without a channel setting, because these addresses are known to have it. */
  readonly home: string
  /** The paths of the requests that it runs. */
  readonly endpoints: readonly string[]
  /** All requests of a batch need the same model. */
  readonly hasOneModel: boolean
  readonly maxLines: number
  readonly maxBytes: number
  /** The request that carries the lines: an upload, or the creation of the batch itself. */
  readonly payload: {
    readonly path: string
    readonly type: string
    readonly before: string
    readonly between: string
    readonly after: string
  }
  writeLine(line: UpstreamLine): string
  /** Creates the batch of an uploaded file. */
  readonly create?: {
    readonly path: string
    body(batch: { readonly fileId: string; readonly endpoint: string; readonly ownId: string }): JsonObject
  }
  statusPath(id: string): string
  cancelPath(id: string): string
  /** A page of the batches of the account, newest first. */
  listPath(after: string): string
  read(body: JsonObject): UpstreamBatch
  readResult(line: string): UpstreamResult | undefined
}

const MEGABYTE = 1024 * 1024
/** A line of JSON contains no line break, so that the boundary cannot occur in one. */
const BOUNDARY = 'tidegate-batch-of-requests'
const UNUSED_FILE_SECONDS = 2_592_000

function formField(name: string, value: string): string {
  return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
}

export const openaiBatches = (home: string): BatchApi => ({
  home,
  endpoints: ['/v1/chat/completions', '/v1/responses', '/v1/completions'],
  hasOneModel: true,
  maxLines: 50_000,
  maxBytes: 200 * MEGABYTE,
  payload: {
    path: '/v1/files',
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    before: [
      formField('purpose', 'batch'),
      formField('expires_after[anchor]', 'created_at'),
      formField('expires_after[seconds]', String(UNUSED_FILE_SECONDS)),
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="requests.jsonl"\r\n`,
      'content-type: application/jsonl\r\n\r\n',
    ].join(''),
    between: '\n',
    after: `\r\n--${BOUNDARY}--\r\n`,
  },
  writeLine: ({ name, endpoint, body }) =>
    `{"custom_id":${JSON.stringify(name)},"method":"POST","url":${JSON.stringify(endpoint)},"body":${body}}`,
  create: {
    path: '/v1/batches',
    body: ({ fileId, endpoint, ownId }) => ({
      input_file_id: fileId,
      endpoint,
      completion_window: '24h',
      metadata: { gateway_batch: ownId },
    }),
  },
  statusPath: (id) => `/v1/batches/${encodeURIComponent(id)}`,
  cancelPath: (id) => `/v1/batches/${encodeURIComponent(id)}/cancel`,
  listPath: (after) => `/v1/batches?limit=100${after && `&after=${encodeURIComponent(after)}`}`,
  read(body) {
    const status = asText(body.status)
    const files = [body.output_file_id, body.error_file_id].map(asText).filter(Boolean)
    return {
      id: asText(body.id),
      state: status === 'failed' ? 'failed' : status === 'cancelling' ? status : isOver(status) ? 'ended' : 'running',
      outcome: status === 'cancelled' ? 'canceled' : 'expired',
      errors: asList(asJsonObject(body.errors)?.data).map(readError),
      results: files.map((id) => `/v1/files/${encodeURIComponent(id)}/content`),
      createdAt: new Date(Number(body.created_at) * 1000),
      total: numberOf(asJsonObject(body.request_counts)?.total),
      ownId: asText(asJsonObject(body.metadata)?.gateway_batch),
    }
  },
  readResult(line) {
    const json = parseJsonObject(line)
    const name = asText(json?.custom_id)
    if (name === '') return undefined
    const response = asJsonObject(json?.response)
    const code = asText(asJsonObject(json?.error)?.code)
    if (!response && code === 'batch_expired') return { name, state: 'expired', status: 0, body: undefined }
    if (!response && code === 'batch_cancelled') return { name, state: 'canceled', status: 0, body: undefined }
    const status = response ? numberOf(response.status_code) : 500
    const body = asJsonObject(response?.body) ?? { error: { ...asJsonObject(json?.error), type: 'server_error' } }
    return { name, state: status >= 200 && status < 300 ? 'succeeded' : 'errored', status, body }
  },
})

function isOver(status: string): boolean {
  return status === 'completed' || status === 'expired' || status === 'cancelled'
}

function readError(value: unknown): UpstreamBatchError {
  const { code, message, line } = asJsonObject(value) ?? {}
  return { code: asText(code), message: asText(message), line: typeof line === 'number' ? line : null }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

/** Statuses by the type of an error, which results of Anthropic have in place of a status. */
const STATUSES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 504,
  overloaded_error: 529,
}

export const anthropicBatches = (home: string): BatchApi => ({
  home,
  endpoints: ['/v1/messages'],
  hasOneModel: false,
  maxLines: 100_000,
  maxBytes: 256 * MEGABYTE,
  payload: {
    path: '/v1/messages/batches',
    type: 'application/json',
    before: '{"requests":[',
    between: ',',
    after: ']}',
  },
  writeLine: ({ name, body }) => `{"custom_id":${JSON.stringify(name)},"params":${body}}`,
  statusPath: (id) => `/v1/messages/batches/${encodeURIComponent(id)}`,
  cancelPath: (id) => `/v1/messages/batches/${encodeURIComponent(id)}/cancel`,
  listPath: (after) => `/v1/messages/batches?limit=100${after && `&after_id=${encodeURIComponent(after)}`}`,
  read(body) {
    const id = asText(body.id)
    const status = asText(body.processing_status)
    const counts = asJsonObject(body.request_counts) ?? {}
    return {
      id,
      state: status === 'ended' ? 'ended' : status === 'canceling' ? 'cancelling' : 'running',
      outcome: numberOf(counts.canceled) > 0 ? 'canceled' : 'expired',
      errors: [],
      results: status === 'ended' ? [`/v1/messages/batches/${encodeURIComponent(id)}/results`] : [],
      createdAt: new Date(asText(body.created_at)),
      total: Object.values(counts).reduce<number>((sum, count) => sum + numberOf(count), 0),
      ownId: '',
    }
  },
  readResult(line) {
    const json = parseJsonObject(line)
    const name = asText(json?.custom_id)
    const result = asJsonObject(json?.result)
    if (name === '' || !result) return undefined
    switch (result.type) {
      case 'succeeded':
        return { name, state: 'succeeded', status: 200, body: asJsonObject(result.message) }
      case 'canceled':
      case 'expired':
        return { name, state: result.type, status: 0, body: undefined }
      default: {
        const body = asJsonObject(result.error)
        const type = asText(asJsonObject(body?.error)?.type)
        return { name, state: 'errored', status: STATUSES[type] ?? 500, body }
      }
    }
  },
})
