import { countTokens, deltasOf } from '../tokens.ts'
import type { Answer, StreamWishes, UpstreamEvent, UpstreamStream, UsagePlacement, Vendor } from '../types.ts'
import { Verbatim } from '../write-json.ts'

type AnswerBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: Verbatim }

/** The answer as one object. */
export function messageOf(answer: Answer, vendor: Vendor, placement: UsagePlacement = 'asked') {
  return {
    ...openMessage(answer),
    content: blocksOfAnswer(answer, vendor),
    ...stopOf(answer),
    ...(placement !== 'missing' && { usage: usageOf(answer) }),
  }
}

function openMessage({ sequence, asked }: Answer) {
  return { id: `msg_fake_${sequence}`, type: 'message', role: 'assistant', model: asked.model }
}

/** A refusal is said in plain text; only the stop reason tells. */
function blocksOfAnswer(answer: Answer, { signatures }: Vendor): AnswerBlock[] {
  const { text, refusal, toolCalls } = answer
  return [
    ...thoughtsOf(answer, signatures),
    ...[text, refusal].filter((said) => said !== '').map((said) => ({ type: 'text' as const, text: said })),
    ...toolCalls.map(({ id, name, arguments: input }) => ({
      type: 'tool_use' as const,
      id,
      name,
      input: new Verbatim(input),
    })),
  ]
}

function thoughtsOf({ reasoning, redacted, asked, signature }: Answer, issued: Vendor['signatures']): AnswerBlock[] {
  if (reasoning === '') return []
  if (redacted) return [{ type: 'redacted_thinking', data: issued.issue('anthropic-messages', REDACTED, signature) }]
  const thinking = asked.showThoughts ? reasoning : ''
  return [{ type: 'thinking', thinking, signature: issued.issue('anthropic-messages', thinking, signature) }]
}

/** What a seal was put on when the words it stands for were withheld. */
export const REDACTED = 'redacted'

function stopOf({ finish, finishReason, stopSequence }: Answer) {
  return { stop_reason: finishReason ?? WORDS[finish], stop_sequence: stopSequence ?? null }
}

/** Unlike elsewhere, what was read from or written to a cache is no part of the input. */
function usageOf({ counts }: Answer) {
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

const WORDS: Record<Answer['finish'], string> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  refusal: 'refusal',
}

/** The answer as the events of a stream: the message opens, each block opens, grows and ends, the message ends. */
export function messagesStream(answer: Answer, vendor: Vendor, wishes: StreamWishes): UpstreamStream {
  const usage = wishes.placement === 'missing' ? undefined : usageOf(answer)
  const opened = { ...openMessage(answer), content: [], stop_reason: null, stop_sequence: null }
  const events = [
    eventOf('message_start', { message: { ...opened, ...(usage && { usage: { ...usage, output_tokens: 1 } }) } }),
    eventOf('ping', {}),
    ...blocksOfAnswer(answer, vendor).flatMap((block, index) => blockEvents(block, index, wishes)),
    eventOf('message_delta', { delta: stopOf(answer), ...(usage && { usage: outputOnly(usage) }) }),
  ]
  return { events, endMark: eventOf('message_stop', {}) }
}

/** What was read is told when the message opens; what was said, when it ends. */
function outputOnly(usage: ReturnType<typeof usageOf>) {
  return { output_tokens: usage.output_tokens, output_tokens_details: usage.output_tokens_details }
}

function blockEvents(block: AnswerBlock, index: number, { deltaLength }: StreamWishes): UpstreamEvent[] {
  const delta = (value: object, text = '', tokens = 0) =>
    eventOf('content_block_delta', { index, delta: value }, text, tokens)
  return [
    eventOf('content_block_start', { index, content_block: emptied(block) }),
    ...growth(block, deltaLength, delta),
    eventOf('content_block_stop', { index }),
  ]
}

function growth(
  block: AnswerBlock,
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
      return [] // comes whole with its start
    case 'text':
      return deltasOf(block.text, deltaLength).map((text) =>
        delta({ type: 'text_delta', text }, text, countTokens(text)),
      )
    case 'tool_use':
      // The first piece is blank, as Anthropic's is.
      return ['', ...deltasOf(block.input.text)].map((partial, index) =>
        delta({ type: 'input_json_delta', partial_json: partial }, '', index === 0 ? countTokens(block.name) : 1),
      )
  }
}

function emptied(block: AnswerBlock): object {
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' }
  if (block.type === 'redacted_thinking') return block
  return block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} }
}

function eventOf(type: string, members: object, text = '', tokens = 0): UpstreamEvent {
  return { name: type, data: JSON.stringify({ type, ...members }), text, tokens }
}
