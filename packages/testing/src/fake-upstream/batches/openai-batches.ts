import { ProviderError, requireThat } from '../checks.ts'
import type { ReceivedRequest } from '../types.ts'
import type { BatchRequest, BatchResult, FakeBatch, FakeBatches, FakeFile } from './batch-store.ts'

export interface BatchApiResponse {
  readonly status: number
  readonly type?: string
  readonly body: object | string
}

interface Context {
  readonly batches: FakeBatches
  readonly key: string | undefined
  run(request: BatchRequest): BatchResult
}

/** OpenAI's files and batches. Undefined for other requests. */
export async function openaiBatchResponse(
  request: ReceivedRequest,
  context: Context,
): Promise<BatchApiResponse | undefined> {
  const { method, path } = request
  const { batches, key } = context
  if (path === '/v1/files' && method === 'POST') return { status: 200, body: await upload(request, batches) }
  const [, fileId, content] = /^\/v1\/files\/([\w-]+)(\/content)?$/.exec(path) ?? []
  if (fileId !== undefined) {
    const file = batches.files.get(fileId)
    requireFound(file, `No such File object: ${fileId}`)
    if (content) return { status: 200, type: 'application/octet-stream', body: file.text }
    if (method === 'DELETE') batches.files.delete(fileId)
    return { status: 200, body: method === 'DELETE' ? { id: fileId, object: 'file', deleted: true } : showFile(file) }
  }
  if (path === '/v1/batches') {
    if (method === 'POST') return { status: 200, body: show(create(request, context)) }
    return { status: 200, body: list(request, context) }
  }
  const [, id, cancel] = /^\/v1\/batches\/(\w+)(\/cancel)?$/.exec(path) ?? []
  if (id === undefined) return undefined
  const batch = batches.all.find((one) => one.id === id && one.key === key)
  requireFound(batch, `No batch found with id '${id}'.`)
  if (cancel) {
    const isOpen = ['validating', 'in_progress', 'finalizing'].includes(batch.state)
    if (!isOpen) throw new ProviderError(`Cannot cancel a batch with status '${batch.state}'.`, { status: 409 })
    batch.state = 'cancelling'
  } else {
    batches.advance(batch, context.run)
    writeFiles(batch, batches)
  }
  return { status: 200, body: show(batch) }
}

function requireFound<Value>(value: Value | undefined, message: string): asserts value is Value {
  if (value === undefined) throw new ProviderError(message, { status: 404 })
}

async function upload({ rawBody, headers }: ReceivedRequest, batches: FakeBatches): Promise<object> {
  const type = headers['content-type'] ?? ''
  const form = await new Response(new Uint8Array(rawBody), { headers: { 'content-type': type } }).formData()
  const file = form.get('file')
  requireThat(file instanceof File, "'file' is a required property", 'file')
  requireThat(form.get('purpose') === 'batch', "'purpose' is not supported", 'purpose')
  const expires = form.get('expires_after[seconds]')
  const text = await file.text()
  const expiresAfter = typeof expires === 'string' ? expires : undefined
  return showFile(batches.addFile({ filename: file.name, purpose: 'batch', text, expiresAfter }))
}

function showFile({ id, filename, purpose, text }: FakeFile) {
  return {
    id,
    object: 'file',
    bytes: Buffer.byteLength(text),
    created_at: now(),
    filename,
    purpose,
    status: 'processed',
  }
}

interface CreateBody {
  input_file_id?: string
  endpoint?: string
  completion_window?: string
  metadata?: Record<string, string>
}

function create({ body }: ReceivedRequest, { batches, key }: Context): FakeBatch {
  const {
    input_file_id: inputFileId = '',
    endpoint = '',
    completion_window: window,
    metadata = {},
  } = body as CreateBody
  requireThat(window === '24h', "'completion_window' must be '24h'", 'completion_window')
  const file = batches.files.get(inputFileId)
  requireThat(file, `Invalid input file: ${inputFileId}`, 'input_file_id')
  const { requests, errors } = readLines(file.text, endpoint)
  const failed = errors.length > 0 ? { errors } : {}
  return batches.add({ kind: 'openai', key, state: 'validating', requests, metadata, inputFileId, endpoint, ...failed })
}

interface WrittenLine {
  custom_id: string
  method: string
  url: string
  body: Record<string, unknown>
}

function readLines(text: string, endpoint: string) {
  const requests: BatchRequest[] = []
  const errors: { code: string; message: string; line: number; param: null }[] = []
  const seen = new Set<string>()
  let model: unknown
  for (const [at, line] of text.trimEnd().split('\n').entries()) {
    const reject = (code: string) =>
      errors.push({ code, message: `Line ${at + 1}: ${code}`, line: at + 1, param: null })
    const { custom_id: customId, method, url, body } = JSON.parse(line) as WrittenLine
    model ??= body.model
    if (method !== 'POST') reject('invalid_method')
    else if (url !== endpoint) reject('mismatched_endpoint')
    else if (typeof customId !== 'string' || seen.has(customId)) reject('duplicate_custom_id')
    else if (body.model !== model) reject('mismatched_model')
    else requests.push({ customId, path: url, body })
    seen.add(customId)
  }
  return { requests, errors }
}

/** Successful lines and failed ones, as the real provider separates them. */
function writeFiles(batch: FakeBatch, batches: FakeBatches): void {
  if (!['completed', 'cancelled', 'expired'].includes(batch.state) || batch.outputFileId || batch.errorFileId) return
  const output: object[] = []
  const errors: object[] = []
  for (const [customId, { status, body }] of batch.results) {
    const response = { status_code: status, request_id: `req_${customId}`, body }
    const line = { id: `batch_req_${customId}`, custom_id: customId, response, error: null }
    ;(status === 200 ? output : errors).push(line)
  }
  if (batch.state === 'expired') {
    const error = { code: 'batch_expired', message: 'This request could not be executed before it expired.' }
    for (const { customId } of batch.requests.filter((one) => !batch.results.has(one.customId))) {
      errors.push({ id: `batch_req_${customId}`, custom_id: customId, response: null, error })
    }
  }
  const write = (lines: object[], filename: string) =>
    lines.length === 0
      ? undefined
      : batches.addFile({
          filename,
          purpose: 'batch_output',
          text: `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
          expiresAfter: undefined,
        }).id
  const [outputFileId, errorFileId] = [write(output, 'output.jsonl'), write(errors, 'error.jsonl')]
  Object.assign(batch, { ...(outputFileId && { outputFileId }), ...(errorFileId && { errorFileId }) })
}

/** Newest first. */
function list({ query }: ReceivedRequest, { batches, key }: Context): object {
  const all = batches.all.filter((batch) => batch.kind === 'openai' && batch.key === key).toReversed()
  const from = all.findIndex(({ id }) => id === query.get('after')) + 1
  const limit = Number(query.get('limit') ?? 20)
  const data = all.slice(from, from + limit).map(show)
  return { object: 'list', data, has_more: all.length > from + limit }
}

function show(batch: FakeBatch) {
  const results = [...batch.results.values()]
  const completed = results.filter(({ status }) => status === 200).length
  return {
    id: batch.id,
    object: 'batch',
    endpoint: batch.endpoint,
    errors: batch.state === 'failed' ? { object: 'list', data: batch.errors } : null,
    input_file_id: batch.inputFileId,
    completion_window: '24h',
    status: batch.state,
    output_file_id: batch.outputFileId ?? null,
    error_file_id: batch.errorFileId ?? null,
    created_at: Math.floor(batch.createdAt.getTime() / 1000),
    request_counts: { total: batch.requests.length, completed, failed: results.length - completed },
    metadata: batch.metadata,
  }
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}
