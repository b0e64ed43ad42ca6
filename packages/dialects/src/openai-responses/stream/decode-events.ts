import type { DecodeContext, EventDecoder } from '../../canonical/index.ts'
import { asCount, asJsonObject, asList, asText, type JsonObject, parseJsonObject } from '../../json/json-object.ts'
import { readError, errorStatus } from '../../openai-wire/errors.ts'
import { readResponsesUsage } from '../../openai-wire/usage.ts'
import type { WireError } from '../../canonical/errors.ts'
import { readFinish } from '../response/finish-reason.ts'
import { createEventCollector } from './event-collector.ts'
import { createItemReaders } from './item-readers.ts'

/** Decodes a provider's stream. The last event repeats the whole response and supplies what earlier events omitted. */
export function createDecoder({ newId }: DecodeContext): EventDecoder {
  const collector = createEventCollector(newId)
  const items = createItemReaders(collector)
  let isOver = false

  return ({ name, data }) => {
    const event = parseJsonObject(data)
    if (event) read(asText(event.type) || (name ?? ''), event)
    else if (name === 'error') fail({ message: data })
    return collector.take()
  }

  function read(type: string, event: JsonObject): void {
    switch (type) {
      case 'response.output_text.delta':
        items.message(event).delta(asCount(event.content_index), 'text', asText(event.delta))
        break
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        items.call(event)?.delta(asText(event.delta))
        break
      case 'response.reasoning_summary_text.delta':
        items.reasoning(event).delta('summary', asCount(event.summary_index), asText(event.delta))
        break
      case 'response.reasoning_text.delta':
        items.reasoning(event).delta('content', asCount(event.content_index), asText(event.delta))
        break
      case 'response.refusal.delta':
        items.message(event).delta(asCount(event.content_index), 'refusal', asText(event.delta))
        break
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        start(asJsonObject(event.response) ?? {})
        break
      case 'response.output_item.added':
        items.add(event.output_index, asJsonObject(event.item) ?? {})
        break
      case 'response.output_item.done':
        items.done(event.output_index, asJsonObject(event.item) ?? {})
        break
      case 'response.output_text.done':
        items.message(event).endPart(asCount(event.content_index), { type: 'output_text', text: event.text })
        break
      case 'response.output_text.annotation.added':
        items.message(event).cite(asCount(event.content_index), event.annotation)
        break
      case 'response.refusal.done':
        items.message(event).endPart(asCount(event.content_index), { type: 'refusal', refusal: event.refusal })
        break
      case 'response.content_part.done':
        endContentPart(event, asJsonObject(event.part) ?? {})
        break
      case 'response.reasoning_summary_text.done':
        items.reasoning(event).endSection('summary', asCount(event.summary_index), asText(event.text))
        break
      case 'response.reasoning_text.done':
        items.reasoning(event).endSection('content', asCount(event.content_index), asText(event.text))
        break
      case 'response.function_call_arguments.done':
        items.call(event)?.endArguments(asText(event.arguments))
        break
      case 'response.custom_tool_call_input.done':
        items.call(event)?.endArguments(asText(event.input))
        break
      case 'response.completed':
      case 'response.incomplete':
        end(asJsonObject(event.response) ?? {}, type === 'response.incomplete')
        break
      case 'response.failed':
        endFailed(asJsonObject(event.response) ?? {})
        break
      case 'error':
        fail(
          readError(event) ?? {
            ...errorFields(event),
            message: asText(event.message) || 'The upstream reported an error.',
          },
        )
        break
      default:
        readUnknownEvent(type, event)
    }
  }

  function start(response: JsonObject): void {
    const created = asCount(response.created_at)
    collector.start({
      type: 'response-start',
      id: asText(response.id) || undefined,
      model: asText(response.model) || undefined,
      created: created > 0 ? created : undefined,
    })
  }

  function endContentPart(event: JsonObject, part: JsonObject): void {
    if (part.type === 'reasoning_text')
      items.reasoning(event).endSection('content', asCount(event.content_index), asText(part.text))
    else items.message(event).endPart(asCount(event.content_index), part)
  }

  function end(response: JsonObject, isIncompleteEvent: boolean): void {
    if (isOver) return
    isOver = true
    start(response)
    items.recover(asList(response.output))
    items.close()
    const isIncomplete = isIncompleteEvent || response.status === 'incomplete'
    collector.emit({ type: 'finish', ...readFinish(response, { isIncomplete, hasCalls: collector.hasCalls() }) })
    emitUsage(response)
    collector.emit({ type: 'done' })
  }

  function endFailed(response: JsonObject): void {
    emitUsage(response)
    fail(readError(response) ?? { message: 'The upstream failed to respond.' })
  }

  function emitUsage(response: JsonObject): void {
    const usage = asJsonObject(response.usage)
    if (usage) collector.emit({ type: 'usage', usage: readResponsesUsage(response, usage) })
  }

  function fail(error: WireError): void {
    collector.emit({ type: 'error', error, status: errorStatus(error) })
  }

  function readUnknownEvent(type: string, event: JsonObject): void {
    if (isHostedToolEvent(type)) collector.emit({ type: 'native', text: asText(event.delta) || undefined })
    // Other APIs of the same providers send an object with only an error.
    else if (type === '') {
      const error = readError(event)
      if (error) fail(error)
    }
  }
}

function errorFields({ type: _event, sequence_number: _number, ...rest }: JsonObject): JsonObject {
  return rest
}

const HOSTED_TOOL_EVENTS = [
  'response.web_search_call.',
  'response.file_search_call.',
  'response.code_interpreter_call',
  'response.image_generation_call.',
  'response.mcp_call',
  'response.mcp_list_tools.',
  'response.computer_call',
  'response.local_shell_call',
  'response.shell_call_',
  'response.apply_patch_call',
  'response.audio.',
]

/** Whether an event belongs to a hosted tool or to audio, which other protocols cannot express. */
function isHostedToolEvent(type: string): boolean {
  return HOSTED_TOOL_EVENTS.some((start) => type.startsWith(start))
}
