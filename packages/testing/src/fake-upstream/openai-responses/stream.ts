import { countTokens } from '../count-tokens.ts'
import { deltasOf } from '../split-deltas.ts'
import type { CallItem, MessageItem, OutputItem, ReasoningItem, TextCallItem } from './output-items.ts'
import { outputOf } from './output-items.ts'
import { incompleteReason, responseOf } from './response-object.ts'
import type { Answer, StreamWishes, UpstreamEvent, UpstreamStream, Vendor } from '../types.ts'

/** The answer as the events of a stream; the one that says it is over carries the whole answer again. */
export function responsesStream(answer: Answer, vendor: Vendor, wishes: StreamWishes): UpstreamStream {
  const output = outputOf(answer, vendor)
  const drafts = [
    draft('response.created', { response: responseOf(answer, [], 'under-way') }),
    draft('response.in_progress', { response: responseOf(answer, [], 'under-way') }),
    ...output.flatMap((item, index) => itemDrafts(item, index, wishes)),
    draft(incompleteReason(answer) === undefined ? 'response.completed' : 'response.incomplete', {
      response: responseOf(answer, output, 'ended', wishes.placement),
    }),
  ]
  const events = drafts.map(eventOf)
  return { events: events.slice(0, -1), endMark: events.at(-1) }
}

interface Draft {
  type: string
  members: Record<string, unknown>
  text: string
  tokens: number
}

function draft(type: string, members: Record<string, unknown>, text = '', tokens = 0): Draft {
  return { type, members, text, tokens }
}

function eventOf({ type, members, text, tokens }: Draft, index: number): UpstreamEvent {
  return { name: type, data: JSON.stringify({ type, sequence_number: index, ...members }), text, tokens }
}

function itemDrafts(item: OutputItem, index: number, wishes: StreamWishes): Draft[] {
  const place = { output_index: index }
  const open = { ...item, ...(item.type !== 'reasoning' && { status: 'in_progress' }), ...EMPTY[item.type] }
  return [
    draft('response.output_item.added', { ...place, item: open }),
    ...(item.type === 'reasoning'
      ? summaryDrafts(item, place, wishes)
      : item.type === 'message'
        ? contentDrafts(item, place, wishes)
        : inputDrafts(item, place)),
    draft('response.output_item.done', { ...place, item }),
  ]
}

const EMPTY = {
  reasoning: { summary: [], encrypted_content: undefined },
  message: { content: [] },
  function_call: { arguments: '' },
  custom_tool_call: { input: '' },
}

function summaryDrafts({ id, summary }: ReasoningItem, place: object, { deltaLength }: StreamWishes): Draft[] {
  return summary.flatMap((part, summaryIndex) => {
    const at = { ...place, item_id: id, summary_index: summaryIndex }
    return [
      draft('response.reasoning_summary_part.added', { ...at, part: { ...part, text: '' } }),
      ...deltasOf(part.text, deltaLength).map((delta) =>
        draft('response.reasoning_summary_text.delta', { ...at, delta }, '', countTokens(delta)),
      ),
      draft('response.reasoning_summary_text.done', { ...at, text: part.text }),
      draft('response.reasoning_summary_part.done', { ...at, part }),
    ]
  })
}

function contentDrafts({ id, content }: MessageItem, place: object, { deltaLength }: StreamWishes): Draft[] {
  return content.flatMap((part, contentIndex) => {
    const at = { ...place, item_id: id, content_index: contentIndex }
    const isText = part.type === 'output_text'
    const whole = isText ? part.text : part.refusal
    const kind = isText ? 'output_text' : 'refusal'
    return [
      draft('response.content_part.added', { ...at, part: { ...part, [isText ? 'text' : 'refusal']: '' } }),
      ...deltasOf(whole, deltaLength).map((delta) =>
        draft(`response.${kind}.delta`, { ...at, delta }, isText ? delta : '', countTokens(delta)),
      ),
      draft(`response.${kind}.done`, { ...at, [isText ? 'text' : 'refusal']: whole }),
      draft('response.content_part.done', { ...at, part }),
    ]
  })
}

function inputDrafts(item: CallItem | TextCallItem, place: object): Draft[] {
  const isFunction = item.type === 'function_call'
  const at = { ...place, item_id: item.id }
  const kind = isFunction ? 'function_call_arguments' : 'custom_tool_call_input'
  const whole = isFunction ? { name: item.name, arguments: item.arguments } : { input: item.input }
  return [
    ...deltasOf(isFunction ? item.arguments : item.input).map((delta) =>
      draft(`response.${kind}.delta`, { ...at, delta }, '', 1),
    ),
    draft(`response.${kind}.done`, { ...at, ...whole }, '', countTokens(item.name)),
  ]
}
