import { ProviderError, requireThat } from '../checks.ts'
import type { ReceivedRequest } from '../types.ts'
import type { BatchRequest, BatchResult, FakeBatch, FakeBatches } from './batch-store.ts'
import type { BatchApiResponse } from './openai-batches.ts'

interface Context {
  readonly batches: FakeBatches
  readonly key: string | undefined
  readonly url: string
  run(request: BatchRequest): BatchResult
}

const PATH = '/v1/messages/batches'
const CUSTOM_ID = /^[a-zA-Z0-9_-]{1,64}$/

/** Anthropic's batches of messages. Undefined for other requests. */
export function anthropicBatchResponse(request: ReceivedRequest, context: Context): BatchApiResponse | undefined {
  const { method, path, query } = request
  const { batches, key } = context
  if (path === PATH) {
    if (method === 'POST') return { status: 200, body: show(create(request, context), context) }
    const all = batches.all.filter((batch) => batch.kind === 'anthropic' && batch.key === key).toReversed()
    const from = all.findIndex(({ id }) => id === query.get('after_id')) + 1
    const limit = Number(query.get('limit') ?? 20)
    const data = all.slice(from, from + limit).map((batch) => show(batch, context))
    return { status: 200, body: { data, has_more: all.length > from + limit } }
  }
  const [, id, action] = /^\/v1\/messages\/batches\/(\w+)(?:\/(cancel|results))?$/.exec(path) ?? []
  if (id === undefined) return undefined
  const batch = batches.all.find((one) => one.id === id && one.key === key)
  if (!batch) throw new ProviderError(`Message batch ${id} not found`, { status: 404 })
  if (action === 'results') {
    if (!isEnded(batch)) throw new ProviderError('The batch is still in progress', { status: 404 })
    return { status: 200, type: 'application/x-jsonl', body: resultsOf(batch) }
  }
  if (action === 'cancel') {
    if (!isEnded(batch)) batch.state = 'cancelling'
  } else {
    // It has no state between creation and processing, and none between processing and the results.
    if (batch.state === 'validating') batches.advance(batch, context.run)
    batches.advance(batch, context.run)
    if (batch.state === 'finalizing') batches.advance(batch, context.run)
  }
  return { status: 200, body: show(batch, context) }
}

function create({ body }: ReceivedRequest, { batches, key }: Context): FakeBatch {
  const { requests } = (body ?? {}) as { requests?: { custom_id?: string; params?: Record<string, unknown> }[] }
  requireThat(Array.isArray(requests) && requests.length > 0, 'requests: Field required')
  const seen = new Set<string>()
  const read = requests.map(({ custom_id: customId = '', params = {} }, at): BatchRequest => {
    requireThat(CUSTOM_ID.test(customId), `requests.${at}.custom_id: String should match pattern`)
    requireThat(!seen.has(customId), `requests.${at}.custom_id: duplicate`)
    requireThat(params.stream !== true, `requests.${at}.params.stream: not supported`)
    seen.add(customId)
    return { customId, path: '/v1/messages', body: params }
  })
  return batches.add({
    kind: 'anthropic',
    key,
    state: 'validating',
    requests: read,
    metadata: {},
    inputFileId: '',
    endpoint: '/v1/messages',
  })
}

function isEnded({ state }: FakeBatch): boolean {
  return state === 'completed' || state === 'cancelled' || state === 'expired'
}

function resultsOf(batch: FakeBatch): string {
  const lines = [...batch.results].map(([customId, { status, body }]) => ({
    custom_id: customId,
    result: status === 200 ? { type: 'succeeded', message: body } : { type: 'errored', error: body },
  }))
  const rest = batch.requests.filter(({ customId }) => !batch.results.has(customId))
  const type = batch.state === 'expired' ? 'expired' : 'canceled'
  const all = [...lines, ...rest.map(({ customId }) => ({ custom_id: customId, result: { type } }))]
  return all.map((line) => `${JSON.stringify(line)}\n`).join('')
}

function show(batch: FakeBatch, { url }: Context) {
  const ended = isEnded(batch)
  const results = [...batch.results.values()]
  const succeeded = results.filter(({ status }) => status === 200).length
  const rest = batch.requests.length - results.length
  return {
    id: batch.id,
    type: 'message_batch',
    processing_status: ended ? 'ended' : batch.state === 'cancelling' ? 'canceling' : 'in_progress',
    request_counts: {
      processing: ended ? 0 : batch.requests.length,
      succeeded: ended ? succeeded : 0,
      errored: ended ? results.length - succeeded : 0,
      canceled: batch.state === 'cancelled' ? rest : 0,
      expired: batch.state === 'expired' ? rest : 0,
    },
    ended_at: ended ? new Date().toISOString() : null,
    created_at: batch.createdAt.toISOString(),
    expires_at: new Date(batch.createdAt.getTime() + 86_400_000).toISOString(),
    cancel_initiated_at: null,
    archived_at: null,
    results_url: ended ? `${url}${PATH}/${batch.id}/results` : null,
  }
}
