import { createDropReporter } from '../../canonical/dropped.ts'
import type { CanonicalEvent, Citation, EventDecoder, StreamEvent } from '../../canonical/index.ts'
import { asJsonObject, asText, type JsonObject, parseJsonObject } from '../../json/json-object.ts'
import type { WireError } from '../../canonical/errors.ts'
import { DIALECT_ID } from '../ids.ts'
import { readError, errorStatus } from '../response/errors.ts'
import { readFinish } from '../response/finish-reason.ts'
import { createSearchReader, droppedCitation, droppedInBlock, readCitation } from '../response/searches.ts'
import { mergeUsage, readUsage } from '../response/usage.ts'
import { sliceEventInput } from '../tool-input.ts'

const NO_EVENTS: readonly CanonicalEvent[] = []

export function createDecoder(): EventDecoder {
  /** By the provider's index, which also counts blocks without a canonical number. */
  const blocks = new Map<unknown, StreamBlock>()
  let nextBlock = 0
  let hasStarted = false
  let hasFinished = false
  let counts: JsonObject = {}
  const searches = createSearchReader()
  const reportDropped = createDropReporter()

  function start(message: JsonObject): readonly CanonicalEvent[] {
    if (hasStarted) return NO_EVENTS
    hasStarted = true
    return [{ type: 'response-start', id: asText(message.id) || undefined, model: asText(message.model) || undefined }]
  }

  function count(usage: unknown): readonly CanonicalEvent[] {
    const later = asJsonObject(usage)
    if (!later) return NO_EVENTS
    counts = mergeUsage(counts, later)
    return [{ type: 'usage', usage: readUsage(counts) }]
  }

  function open(index: unknown, content: JsonObject, data: string): readonly CanonicalEvent[] {
    const block = openBlock(content, { block: nextBlock, data, searches })
    if (!block.isNative) nextBlock += 1
    const dropped = droppedInBlock(content).flatMap(reportDropped)
    const events = [...start({}), ...end(index), ...block.startEvents, ...dropped]
    blocks.set(index, block)
    return events
  }

  function end(index: unknown): readonly CanonicalEvent[] {
    const block = blocks.get(index)
    blocks.delete(index)
    return block?.end() ?? NO_EVENTS
  }

  function endAll(): readonly CanonicalEvent[] {
    return blocks.size === 0 ? NO_EVENTS : [...blocks.keys()].flatMap(end)
  }

  function finish(delta: JsonObject): readonly CanonicalEvent[] {
    const reason = readFinish(delta.stop_reason, delta.stop_sequence)
    if (!reason || hasFinished) return NO_EVENTS
    hasFinished = true
    return [...endAll(), { type: 'finish', ...reason }]
  }

  let textMember: string | undefined

  function decode({ name, data }: StreamEvent): readonly CanonicalEvent[] {
    textMember = undefined
    const event = parseJsonObject(data)
    if (!event) return name === 'error' ? [errorEvent({ message: data })] : NO_EVENTS
    switch (event.type) {
      case 'content_block_delta': {
        const delta = asJsonObject(event.delta) ?? {}
        const block = blocks.get(event.index)
        if (block) {
          if (delta.type === 'citations_delta') {
            const dropped = droppedCitation(delta.citation).flatMap(reportDropped)
            return [...block.delta(delta), ...dropped]
          }
          const events = block.delta(delta)
          textMember = textMemberOf(delta, events)
          return events
        }
        const implied = impliedBlock(delta)
        return implied ? [...open(event.index, implied, data), ...blocks.get(event.index)!.delta(delta)] : NO_EVENTS
      }
      case 'message_start': {
        const message = asJsonObject(event.message) ?? {}
        return [...start(message), ...count(message.usage)]
      }
      case 'content_block_start':
        return open(event.index, asJsonObject(event.content_block) ?? {}, data)
      case 'content_block_stop':
        return end(event.index)
      case 'message_delta':
        return [...start({}), ...finish(asJsonObject(event.delta) ?? {}), ...count(event.usage)]
      case 'message_stop':
        return [...start({}), ...endAll(), { type: 'done' }]
      default: {
        const error = readError(name === 'error' ? { ...event, type: 'error' } : event)
        return error ? [errorEvent(error)] : NO_EVENTS
      }
    }
  }

  return Object.assign(decode, { textMember: () => textMember })
}

function textMemberOf(delta: JsonObject, events: readonly CanonicalEvent[]): string | undefined {
  const [event] = events
  if (events.length !== 1) return undefined
  if (event?.type === 'text-delta' && delta.text === event.text) return 'text'
  return event?.type === 'thinking-delta' && delta.thinking === event.text ? 'thinking' : undefined
}

function errorEvent(error: WireError): CanonicalEvent {
  return { type: 'error', error, status: errorStatus(error) }
}

/** Block that a delta belongs to if the provider did not start one. A call needs a name, so it cannot be implied. */
function impliedBlock(delta: JsonObject): JsonObject | undefined {
  if (delta.type === 'text_delta') return { type: 'text' }
  return delta.type === 'thinking_delta' || delta.type === 'signature_delta' ? { type: 'thinking' } : undefined
}

/** Block of a stream between its start and its stop. */
interface StreamBlock {
  readonly startEvents: readonly CanonicalEvent[]
  delta(delta: JsonObject): readonly CanonicalEvent[]
  end(): readonly CanonicalEvent[]
  /** Native blocks have no canonical number. */
  readonly isNative?: boolean
}

type Searches = ReturnType<typeof createSearchReader>

interface BlockContext {
  readonly block: number
  /** The original event that started the block. */
  readonly data: string
  readonly searches: Searches
}

function openBlock(start: JsonObject, { block, data, searches }: BlockContext): StreamBlock {
  switch (start.type) {
    case 'text':
      return textBlock(start, block)
    case 'thinking':
      return thinkingBlock(start, block)
    case 'redacted_thinking':
      return redactedBlock(start, block)
    case 'tool_use':
      return toolBlock(start, block, data)
    default:
      return nativeBlock(start, searches)
  }
}

function textBlock(start: JsonObject, block: number): StreamBlock {
  const text = asText(start.text)
  // Citations come before the text that they support.
  const citations: Citation[] = []
  return {
    startEvents: [
      { type: 'text-start', block },
      ...(text === '' ? NO_EVENTS : [{ type: 'text-delta', block, text } as const]),
    ],
    delta(delta) {
      if (typeof delta.text === 'string') return [{ type: 'text-delta', block, text: delta.text }]
      citations.push(...readCitation(delta.citation))
      return NO_EVENTS
    },
    end: () => [
      ...citations.map((citation) => ({ type: 'citation', block, citation }) as const),
      { type: 'text-end', block },
    ],
  }
}

function thinkingBlock(start: JsonObject, block: number): StreamBlock {
  const text = asText(start.thinking)
  let signature = asText(start.signature)
  return {
    startEvents: [
      { type: 'thinking-start', block },
      ...(text === '' ? NO_EVENTS : [{ type: 'thinking-delta', block, text } as const]),
    ],
    delta(delta) {
      if (typeof delta.thinking === 'string') return [{ type: 'thinking-delta', block, text: delta.thinking }]
      if (typeof delta.signature === 'string') signature = delta.signature
      return NO_EVENTS
    },
    // A compatible provider may sign nothing. It still gets its thinking back.
    end: () => [{ type: 'thinking-end', block, signature: { dialect: DIALECT_ID, value: signature } }],
  }
}

function redactedBlock(start: JsonObject, block: number): StreamBlock {
  const signature = { dialect: DIALECT_ID, value: asText(start.data) } as const
  return {
    startEvents: [{ type: 'thinking-start', block }],
    delta: () => NO_EVENTS,
    end: () => [{ type: 'thinking-end', block, signature, redacted: true }],
  }
}

function toolBlock(start: JsonObject, block: number, data: string): StreamBlock {
  // The input is usually empty and deltas follow. Some providers send it at once, without deltas.
  const isWhole = Object.keys(asJsonObject(start.input) ?? {}).length > 0
  let hasPieces = false
  return {
    startEvents: [{ type: 'tool-call-start', block, id: asText(start.id), name: asText(start.name) }],
    delta({ partial_json: text }) {
      if (typeof text !== 'string' || text === '') return NO_EVENTS
      hasPieces = true
      return [{ type: 'tool-call-delta', block, text }]
    },
    end() {
      const end = { type: 'tool-call-end', block } as const
      // This protocol sends no deltas for a call without arguments.
      return hasPieces ? [end] : [{ type: 'tool-call-delta', block, text: isWhole ? sliceEventInput(data) : '{}' }, end]
    },
  }
}

function nativeBlock(start: JsonObject, searches: Searches): StreamBlock {
  const search = searches.read(start)
  let input = ''
  return {
    isNative: true,
    startEvents: [{ type: 'native', text: asText(start.name), ...(search && { search }) }],
    delta(delta) {
      input += asText(delta.partial_json)
      const text = asText(delta.partial_json) || asText(delta.content)
      return text === '' ? NO_EVENTS : [{ type: 'native', text }]
    },
    end() {
      if (start.type === 'server_tool_use')
        searches.addCall(asText(start.id), input === '' ? start.input : parseJsonObject(input))
      return NO_EVENTS
    },
  }
}
