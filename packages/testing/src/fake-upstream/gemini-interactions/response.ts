import { countTokens, deltasOf } from '../tokens.ts'
import type {
  ChatResponse,
  StreamOptions,
  UpstreamEvent,
  UpstreamState,
  UpstreamStream,
  UsagePlacement,
} from '../types.ts'
import { RawJson, writeJson } from '../write-json.ts'

export function interactionId({ sequence }: Pick<ChatResponse, 'sequence'>): string {
  return `v1_fake${sequence}`
}

/** The whole interaction. */
export function interactionOf(response: ChatResponse, state: UpstreamState, placement: UsagePlacement = 'asked') {
  return { ...headOf(response, statusOf(response), placement), steps: outputSteps(response, state) }
}

function headOf(response: ChatResponse, status: string, placement: UsagePlacement) {
  const created = new Date(response.created * 1000).toISOString().replace('.000Z', 'Z')
  return {
    id: interactionId(response),
    object: 'interaction',
    model: response.request.model,
    created,
    updated: created,
    status,
    ...(status !== 'in_progress' && { service_tier: 'standard' }),
    ...(status === 'failed' && { errors: [{ code: 'safety', message: 'The response was blocked.' }] }),
    ...(status !== 'in_progress' && placement !== 'missing' && { usage: usageOf(response) }),
  }
}

const STATUSES: Record<ChatResponse['finish'], string> = {
  stop: 'completed',
  'stop-sequence': 'completed',
  length: 'incomplete',
  'tool-calls': 'requires_action',
  refusal: 'failed',
}

function statusOf({ finish, finishReason }: ChatResponse): string {
  return finishReason ?? STATUSES[finish]
}

/** Thinking tokens are counted beside output tokens. */
function usageOf({ counts }: ChatResponse) {
  const { input, cacheRead, output, reasoning } = counts
  return {
    total_input_tokens: input,
    input_tokens_by_modality: [{ modality: 'text', tokens: input }],
    total_cached_tokens: cacheRead,
    total_output_tokens: output - reasoning,
    total_thought_tokens: reasoning,
    total_tool_use_tokens: 0,
    total_tokens: input + output,
  }
}

type OutputStep =
  | { type: 'thought'; signature: string; summary?: { type: 'text'; text: string }[] }
  | { type: 'model_output'; content: OutputContent[] }
  | { type: 'function_call'; id: string; name: string; arguments: RawJson }

type OutputContent = { type: 'text'; text: string } | { type: 'image'; mime_type: string; data: string }

/** A thought is a step of its own before the output. Its summary is shown on request only. */
function outputSteps(response: ChatResponse, { signatures }: UpstreamState): OutputStep[] {
  const { request, reasoning, text, refusal, images, toolCalls, sequence } = response
  const summary = request.showReasoning ? { summary: [{ type: 'text' as const, text: reasoning }] } : {}
  const content: OutputContent[] = [
    ...(text + refusal === '' ? [] : [{ type: 'text' as const, text: text + refusal }]),
    ...images.map(({ mediaType, data }) => ({ type: 'image' as const, mime_type: mediaType, data })),
  ]
  return [
    ...(reasoning === ''
      ? []
      : [
          {
            type: 'thought' as const,
            signature: signatures.issue('gemini-interactions', `thought ${sequence}`, response.signature),
            ...summary,
          },
        ]),
    ...(content.length === 0 ? [] : [{ type: 'model_output' as const, content }]),
    ...toolCalls.map((call) => ({
      type: 'function_call' as const,
      id: call.id,
      name: call.name,
      arguments: new RawJson(call.arguments),
    })),
  ]
}

interface Draft {
  type: string
  members: object
  text?: string
  tokens?: number
}

/** The events of a stream. Only the last one has usage, and it has no steps. */
export function interactionStream(
  response: ChatResponse,
  state: UpstreamState,
  options: StreamOptions,
): UpstreamStream {
  const { placement = 'asked' } = options
  const status = statusOf(response)
  const drafts: Draft[] = [
    { type: 'interaction.created', members: { interaction: headOf(response, 'in_progress', placement) } },
    ...outputSteps(response, state).flatMap((step, index) => stepDrafts(step, index, options)),
    ...(status === 'requires_action'
      ? [{ type: 'interaction.status_update', members: { interaction_id: interactionId(response), status } }]
      : []),
    { type: 'interaction.completed', members: { interaction: headOf(response, status, placement) } },
  ]
  return { events: drafts.map(eventOf), endMark: { name: 'done', data: '[DONE]', text: '', tokens: 0 } }
}

function eventOf({ type, members, text = '', tokens = 0 }: Draft, index: number): UpstreamEvent {
  return { name: type, data: writeJson({ event_type: type, event_id: `e${index}`, ...members }), text, tokens }
}

function stepDrafts(step: OutputStep, index: number, options: StreamOptions): Draft[] {
  return [
    { type: 'step.start', members: { index, step: startOf(step) } },
    ...deltaDrafts(step, options).map(({ members, ...rest }) => ({
      type: 'step.delta',
      members: { index, delta: members },
      ...rest,
    })),
    { type: 'step.stop', members: { index } },
  ]
}

function startOf(step: OutputStep): object {
  return step.type === 'function_call' ? { ...step, arguments: {} } : { type: step.type }
}

function deltaDrafts(step: OutputStep, { deltaLength }: StreamOptions): Omit<Draft, 'type'>[] {
  switch (step.type) {
    case 'thought':
      return [
        ...(step.summary ?? []).flatMap(({ text }) =>
          deltasOf(text, deltaLength).map((delta) => ({
            members: { type: 'thought_summary', content: { type: 'text', text: delta } },
            tokens: countTokens(delta),
          })),
        ),
        { members: { type: 'thought_signature', signature: step.signature } },
      ]
    case 'model_output':
      return step.content.flatMap((content): Omit<Draft, 'type'>[] =>
        content.type === 'text'
          ? deltasOf(content.text, deltaLength).map((delta) => ({
              members: { type: 'text', text: delta },
              text: delta,
              tokens: countTokens(delta),
            }))
          : [{ members: content }],
      )
    case 'function_call':
      return deltasOf(step.arguments.text, deltaLength).map((delta) => ({
        members: { type: 'arguments_delta', arguments: delta },
        tokens: countTokens(delta),
      }))
  }
}
