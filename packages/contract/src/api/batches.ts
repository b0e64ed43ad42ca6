import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { pageFields, pageOf, readPage, UNIFORM_PAGING } from '../paging.ts'
import { OptionalText, Quota, UnixSeconds } from '../values.ts'

/** States of a batch. The last four are final. */
export const BATCH_STATES = [
  'validating',
  'in_progress',
  'finalizing',
  'cancelling',
  'completed',
  'failed',
  'expired',
  'cancelled',
] as const
export type BatchState = (typeof BATCH_STATES)[number]

/** A batch of requests. Times are 0 if not set. */
export const Batch = z.object({
  id: z.string(),
  user_id: z.int(),
  /** Blank for ordinary users. */
  username: z.string(),
  token_name: z.string(),
  /** `openai` or `anthropic`. */
  protocol: z.string(),
  endpoint: z.string(),
  /** Of the first request. */
  model: z.string(),
  status: z.string(),
  /** `provider` or `site`; blank until the batch starts. */
  runs_at: z.string(),
  /** `batch` or `standard`; blank until the batch starts. */
  price_tier: z.string(),
  /** The channel whose provider runs the batch; 0 for ordinary users. */
  channel_id: z.int(),
  channel_name: z.string(),
  total: z.int(),
  succeeded: z.int(),
  /** Also the requests that expired or were cancelled. */
  failed: z.int(),
  /** What the finished requests cost so far. */
  quota: Quota,
  created_at: UnixSeconds,
  ended_at: UnixSeconds,
  expires_at: UnixSeconds,
  has_output: z.boolean(),
  has_errors: z.boolean(),
  /** Why a batch could not run; blank otherwise. */
  fail_reason: z.string(),
})
export type Batch = z.output<typeof Batch>

const filters = { status: OptionalText }
const BatchQuery = z
  .object({ ...filters, ...pageFields(UNIFORM_PAGING) })
  .partial()
  .transform((query) => ({ filters: z.object(filters).partial().parse(query), page: readPage(query, UNIFORM_PAGING) }))
const BatchId = z.object({ id: z.string().max(100) })

export const listBatches = endpoint({
  method: 'GET',
  path: '/api/batch',
  access: 'admin',
  summary: 'Lists batches of requests of all users, newest first.',
  query: BatchQuery,
  reply: pageOf(Batch),
  errors: ['page_too_deep'],
})

export const listOwnBatches = endpoint({
  method: 'GET',
  path: '/api/batch/self',
  access: 'user',
  summary: 'Lists your batches of requests, newest first.',
  query: BatchQuery,
  reply: pageOf(Batch),
  errors: ['page_too_deep'],
})

export const cancelBatch = endpoint({
  method: 'POST',
  path: '/api/batch/cancel',
  access: 'admin',
  summary: 'Cancels a batch of any user. Requests that run are finished.',
  body: BatchId,
  reply: z.null(),
  errors: ['batch_not_found', 'batch_not_cancellable'],
})

export const cancelOwnBatch = endpoint({
  method: 'POST',
  path: '/api/batch/self/cancel',
  access: 'user',
  summary: 'Cancels one of your batches. Requests that run are finished.',
  body: BatchId,
  reply: z.null(),
  errors: ['batch_not_found', 'batch_not_cancellable'],
})

export const downloadOwnBatch = endpoint({
  method: 'GET',
  path: '/api/batch/self/file',
  access: 'user',
  summary: 'Streams the results or the errors of one of your batches as JSON lines.',
  query: z.object({ id: z.string().max(100), kind: z.enum(['output', 'errors']) }),
  reply: z.string(),
  bare: true,
  errors: ['batch_not_found', 'file_not_found'],
})
