import { ProviderError } from '../checks.ts'
import { composeResponse } from '../compose-response.ts'
import type { Protocol, ReceivedRequest, Script, UpstreamState } from '../types.ts'
import type { BatchRequest, BatchResult } from './batch-store.ts'

interface LineContext {
  readonly state: UpstreamState
  protocolOf(request: ReceivedRequest): Protocol | undefined
  /** Embeddings and the like. */
  operationResult(request: ReceivedRequest): BatchResult | undefined
  scriptFor(request: ReceivedRequest): Script
}

let sequence = 1_000_000

/** Responds to one request of a batch as to a request of its own, at the tier of batches. */
export function runLine(
  { path, body }: BatchRequest,
  batchRequest: ReceivedRequest,
  context: LineContext,
): BatchResult {
  sequence += 1
  const { sent } = batchRequest
  const request: ReceivedRequest = { ...batchRequest, sequence, method: 'POST', path, body, sent: { ...sent } }
  const protocol = context.protocolOf(request)
  if (!protocol)
    return context.operationResult(request) ?? { status: 404, body: { error: { message: 'Unknown URL.' } } }
  const script = context.scriptFor(request)
  const failed = (failure: ProviderError['failure']) => ({
    status: failure.status,
    body: protocol.errorBody(failure) as BatchResult['body'],
  })
  if (script.status !== undefined && script.status >= 400) {
    return failed({ status: script.status, message: `The fake upstream was set to return ${script.status}.` })
  }
  try {
    protocol.check(request, context.state)
  } catch (error) {
    if (error instanceof ProviderError) return failed(error.failure)
    throw error
  }
  const composed = composeResponse(protocol.read(request), script, request.sequence)
  const response = JSON.parse(protocol.responseBody(composed, context.state, script.usage)) as BatchResult['body']
  const isAnthropic = protocol.id === 'anthropic-messages'
  const usage = isAnthropic ? { usage: { ...(response.usage as object), service_tier: 'batch' } } : {}
  return { status: 200, body: { ...response, ...usage } }
}
