import { countTokens } from '../count-tokens.ts'
import { deltasOf } from '../split-deltas.ts'
import { type AnswerBlock, blocksOfAnswer, openMessage, stopOf, usageOf } from './message.ts'
import type { Answer, StreamWishes, UpstreamEvent, UpstreamStream, Vendor } from '../types.ts'

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
