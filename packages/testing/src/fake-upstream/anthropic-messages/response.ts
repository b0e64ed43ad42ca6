import { countTokens, deltasOf } from '../tokens.ts'
import type {
  ChatResponse,
  StreamOptions,
  UpstreamEvent,
  UpstreamStream,
  UsagePlacement,
  UpstreamState,
} from '../types.ts'
import { RawJson } from '../write-json.ts'

type ResponseBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: RawJson }

/** The response as one object. */
export function messageOf(response: ChatResponse, state: UpstreamState, placement: UsagePlacement = 'asked') {
  return {
    ...openMessage(response),
    content: responseBlocks(response, state),
    ...stopOf(response),
    ...(placement !== 'missing' && { usage: usageOf(response) }),
  }
}

function openMessage({ sequence, request }: ChatResponse) {
  return { id: `msg_fake_${sequence}`, type: 'message', role: 'assistant', model: request.model }
}

/** A refusal is plain text with its own stop reason. */
function responseBlocks(response: ChatResponse, { signatures }: UpstreamState): ResponseBlock[] {
  const { text, refusal, toolCalls } = response
  return [
    ...thinkingBlocks(response, signatures),
    ...[text, refusal].filter((part) => part !== '').map((part) => ({ type: 'text' as const, text: part })),
    ...toolCalls.map(({ id, name, arguments: input }) => ({
      type: 'tool_use' as const,
      id,
      name,
      input: new RawJson(input),
    })),
  ]
}

function thinkingBlocks(
  { reasoning, redacted, request, signature }: ChatResponse,
  issued: UpstreamState['signatures'],
): ResponseBlock[] {
  if (reasoning === '') return []
  if (redacted) return [{ type: 'redacted_thinking', data: issued.issue('anthropic-messages', REDACTED, signature) }]
  const thinking = request.showReasoning ? reasoning : ''
  return [{ type: 'thinking', thinking, signature: issued.issue('anthropic-messages', thinking, signature) }]
}

/** Subject of a signature for redacted thinking. */
export const REDACTED = 'redacted'

function stopOf({ finish, finishReason, stopSequence }: ChatResponse) {
  return { stop_reason: finishReason ?? STOP_REASONS[finish], stop_sequence: stopSequence ?? null }
}

/** Unlike other protocols, cached tokens are not part of the input. */
function usageOf({ counts }: ChatResponse) {
  const { input, cacheRead, cacheWrite, output, reasoning } = counts
  return {
    input_tokens: input - cacheRead - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    output_tokens_details: reasoning > 0 ? { thinking_tokens: reasoning } : undefined,
    service_tier: 'standard',
  }
}

const STOP_REASONS: Record<ChatResponse['finish'], string> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  refusal: 'refusal',
}

/** The events of a stream: message start, then start, deltas and stop of each block, then message end. */
export function messagesStream(response: ChatResponse, state: UpstreamState, options: StreamOptions): UpstreamStream {
  const usage = options.placement === 'missing' ? undefined : usageOf(response)
  const opened = { ...openMessage(response), content: [], stop_reason: null, stop_sequence: null }
  const events = [
    eventOf('message_start', { message: { ...opened, ...(usage && { usage: { ...usage, output_tokens: 1 } }) } }),
    eventOf('ping', {}),
    ...responseBlocks(response, state).flatMap((block, index) => blockEvents(block, index, options)),
    eventOf('message_delta', { delta: stopOf(response), ...(usage && { usage: outputOnly(usage) }) }),
  ]
  return { events, endMark: eventOf('message_stop', {}) }
}

/** Input usage is in the first event, output usage in the last. */
function outputOnly(usage: ReturnType<typeof usageOf>) {
  return { output_tokens: usage.output_tokens, output_tokens_details: usage.output_tokens_details }
}

function blockEvents(block: ResponseBlock, index: number, { deltaLength }: StreamOptions): UpstreamEvent[] {
  const delta = (value: object, text = '', tokens = 0) =>
    eventOf('content_block_delta', { index, delta: value }, text, tokens)
  return [
    eventOf('content_block_start', { index, content_block: emptyBlock(block) }),
    ...growth(block, deltaLength, delta),
    eventOf('content_block_stop', { index }),
  ]
}

function growth(
  block: ResponseBlock,
  deltaLength: number | undefined,
  delta: (value: object, text?: string, tokens?: number) => UpstreamEvent,
): UpstreamEvent[] {
  switch (block.type) {
    case 'thinking':
      return [
        ...deltasOf(block.thinking, deltaLength).map((thinking) =>
          delta({ type: 'thinking_delta', thinking }, '', countTokens(thinking)),
        ),
        delta({ type: 'signature_delta', signature: block.signature }),
      ]
    case 'redacted_thinking':
      return [] // complete in its start event
    case 'text':
      return deltasOf(block.text, deltaLength).map((text) =>
        delta({ type: 'text_delta', text }, text, countTokens(text)),
      )
    case 'tool_use':
      // The first delta is blank, as at Anthropic.
      return ['', ...deltasOf(block.input.text)].map((partial, index) =>
        delta({ type: 'input_json_delta', partial_json: partial }, '', index === 0 ? countTokens(block.name) : 1),
      )
  }
}

function emptyBlock(block: ResponseBlock): object {
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' }
  if (block.type === 'redacted_thinking') return block
  return block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} }
}

function eventOf(type: string, members: object, text = '', tokens = 0): UpstreamEvent {
  return { name: type, data: JSON.stringify({ type, ...members }), text, tokens }
}
