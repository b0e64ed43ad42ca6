import type { Batch, BatchProtocol, BatchState, EndedLine, LineResult } from '../ports/index.ts'
import { parseJsonObject, type JsonObject } from '@tidegate/dialects'
import { randomId, unixSeconds } from './file-format.ts'

export function newBatchId(protocol: BatchProtocol): string {
  return protocol === 'anthropic' ? `msgbatch_${randomId()}` : `batch_${randomId()}`
}

/** The id of the request that a line is served as. It is the same whenever the line runs. */
export function lineRequestId(batchId: string, number: number): string {
  return `${batchId}-${number}`
}

export function showBatch(batch: Batch, baseUrl: string): object {
  return batch.protocol === 'anthropic' ? showMessageBatch(batch, baseUrl) : showOpenaiBatch(batch)
}

const TIMES: readonly BatchState[] = [
  'in_progress',
  'finalizing',
  'completed',
  'failed',
  'expired',
  'cancelling',
  'cancelled',
]

function showOpenaiBatch(batch: Batch): object {
  const { stateTimes, errors, inputTokens, outputTokens } = batch
  return {
    id: batch.id,
    object: 'batch',
    endpoint: batch.endpoint,
    ...(batch.model !== '' && { model: batch.model }),
    errors: errors ? { object: 'list', data: errors } : null,
    input_file_id: batch.inputFileId,
    completion_window: '24h',
    status: shownState(batch),
    output_file_id: batch.outputFileId ?? null,
    error_file_id: batch.errorFileId ?? null,
    created_at: unixSeconds(batch.createdAt),
    expires_at: unixSeconds(batch.deadline),
    ...Object.fromEntries(TIMES.map((state) => [`${state}_at`, stateTimes[state] ?? null])),
    request_counts: {
      total: batch.total,
      completed: batch.succeeded,
      failed: batch.errored + batch.expired + batch.canceled,
    },
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
    },
    metadata: batch.metadata ?? null,
  }
}

/** A batch that is cancelled before its requests are read has still to read them. */
export function shownState({ state, stateTimes }: Pick<Batch, 'state' | 'stateTimes'>): BatchState {
  return state === 'validating' && stateTimes.cancelling !== undefined ? 'cancelling' : state
}

function showMessageBatch(batch: Batch, baseUrl: string): object {
  const { id, stateTimes, endedAt, total, succeeded, errored, canceled, expired } = batch
  const { cancelling } = stateTimes
  return {
    id,
    type: 'message_batch',
    processing_status: endedAt ? 'ended' : cancelling !== undefined ? 'canceling' : 'in_progress',
    request_counts: {
      processing: endedAt ? 0 : Math.max(0, total - succeeded - errored - canceled - expired),
      succeeded,
      errored,
      canceled,
      expired,
    },
    ended_at: endedAt?.toISOString() ?? null,
    created_at: batch.createdAt.toISOString(),
    expires_at: batch.deadline.toISOString(),
    archived_at: null,
    cancel_initiated_at: cancelling !== undefined ? new Date(cancelling * 1000).toISOString() : null,
    results_url: batch.outputFileId === undefined ? null : `${baseUrl}/v1/messages/batches/${id}/results`,
  }
}

export interface WrittenLine {
  /** Whether it belongs to the file of errors. */
  readonly isError: boolean
  readonly text: string
}

const UNFINISHED = {
  canceled: { code: 'batch_cancelled', message: 'This request was not run before the batch was cancelled.' },
  expired: { code: 'batch_expired', message: 'This request could not be run before the batch expired.' },
} as const
/** Lines that were not run because of an earlier one. */
export const BALANCE_USED_UP = 'The balance was used up before this request could be run. Add credit and send it again.'

/** A finished line as it is in the results. */
export function writeLine(protocol: BatchProtocol, batchId: string, line: EndedLine): WrittenLine {
  return protocol === 'anthropic' ? writeMessageLine(line) : writeOpenaiLine(batchId, line)
}

function writeOpenaiLine(batchId: string, { number, customId, state, result }: EndedLine): WrittenLine {
  const error =
    state === 'canceled' || state === 'expired'
      ? UNFINISHED[state]
      : result
        ? null
        : { code: 'insufficient_quota', message: BALANCE_USED_UP }
  return {
    isError: state !== 'succeeded',
    text: JSON.stringify({
      id: `batch_req_${lineRequestId(batchId, number).replace('batch_', '')}`,
      custom_id: customId,
      response: result ? { status_code: result.status, request_id: result.requestId, body: bodyOf(result) } : null,
      error,
    }),
  }
}

function writeMessageLine({ customId, state, result }: EndedLine): WrittenLine {
  return { isError: false, text: JSON.stringify({ custom_id: customId, result: messageResult(state, result) }) }
}

function messageResult(state: EndedLine['state'], result: LineResult | undefined): object {
  if (state === 'canceled' || state === 'expired') return { type: state }
  if (!result) {
    return { type: 'errored', error: { type: 'error', error: { type: 'billing_error', message: BALANCE_USED_UP } } }
  }
  return state === 'succeeded'
    ? { type: 'succeeded', message: bodyOf(result) }
    : { type: 'errored', error: bodyOf(result) }
}

function bodyOf({ body }: LineResult): JsonObject | string {
  return parseJsonObject(body) ?? body
}
