import { geminiError } from '../gemini-generate/protocol.ts'
import type { ChatRequest, Protocol, ReceivedRequest } from '../types.ts'
import { writeJson } from '../write-json.ts'
import { checkInteraction } from './check-request.ts'
import { type Content, type InteractionRequest, type Step, stepsOf } from './request.ts'
import { interactionId, interactionOf, interactionStream } from './response.ts'

/** Google's Interactions API. */
export const geminiInteractions: Protocol = {
  id: 'gemini-interactions',
  matches: ({ method, path }) => method === 'POST' && /^\/v1[a-z0-9]*\/interactions$/.test(path),
  keyOf,
  read,
  check(received, state) {
    const request = (received.body ?? {}) as InteractionRequest
    checkInteraction(request, state, keyOf(received))
    if (request.store !== false) state.responses.set(interactionId(received), keyOf(received))
  },
  responseBody: (response, state, placement) => writeJson(interactionOf(response, state, placement)),
  responseStream: interactionStream,
  errorBody: geminiError,
  errorEvent({ status, message }) {
    const data = JSON.stringify({ event_type: 'error', error: { code: String(status), message } })
    return { name: 'error', data, text: '', tokens: 0 }
  },
}

function keyOf({ headers, query }: ReceivedRequest): string | undefined {
  return (headers['x-goog-api-key'] as string | undefined) ?? query.get('key') ?? undefined
}

function read({ body }: ReceivedRequest): ChatRequest {
  const request = (body ?? {}) as InteractionRequest
  const { generation_config: config = {}, system_instruction: system = '' } = request
  const steps = stepsOf(request.input)
  return {
    model: request.model ?? 'unknown',
    stream: request.stream === true,
    includeUsage: true,
    limit: config.max_output_tokens ?? Infinity,
    stop: config.stop_sequences ?? [],
    lastUserText: textOf(steps.findLast(({ type }) => type === 'user_input' || type === 'function_result')),
    promptTexts: [system, ...steps.map(textOf)],
    showReasoning: config.thinking_summaries === 'auto',
    signReasoning: true,
  }
}

function textOf(step: Step | undefined): string {
  const { content = [], result } = step ?? {}
  const contents = Array.isArray(result) ? (result as readonly Content[]) : content
  if (result !== undefined && !Array.isArray(result))
    return typeof result === 'string' ? result : JSON.stringify(result)
  return contents.map(({ text }) => text ?? '').join('')
}
