import type { CanonicalEvent, EventDecoder } from '../../canonical/index.ts'
import { asText, asJsonObject, parseJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { WireError } from '../../wire-error.ts'
import { errorIn, statusOf } from '../response/errors.ts'
import { readFinish } from '../response/finish-reason.ts'
import { openBlock, type StreamBlock } from './stream-blocks.ts'
import { laterUsage, readUsage } from '../response/usage.ts'

const NOTHING: readonly CanonicalEvent[] = []

export function createDecoder(): EventDecoder {
  /** By the vendor's index: it counts blocks that have no number with us. */
  const blocks = new Map<unknown, StreamBlock>()
  let nextBlock = 0
  let hasStarted = false
  let hasFinished = false
  let counts: JsonObject = {}

  function start(message: JsonObject): readonly CanonicalEvent[] {
    if (hasStarted) return NOTHING
    hasStarted = true
    return [{ type: 'response-start', id: asText(message.id) || undefined, model: asText(message.model) || undefined }]
  }

  function count(usage: unknown): readonly CanonicalEvent[] {
    const later = asJsonObject(usage)
    if (!later) return NOTHING
    counts = laterUsage(counts, later)
    return [{ type: 'usage', usage: readUsage(counts) }]
  }

  function open(index: unknown, content: JsonObject, data: string): readonly CanonicalEvent[] {
    const block = openBlock(content, nextBlock, data)
    if (!block.isNative) nextBlock += 1
    const events = [...start({}), ...end(index), ...block.began]
    blocks.set(index, block)
    return events
  }

  function end(index: unknown): readonly CanonicalEvent[] {
    const block = blocks.get(index)
    blocks.delete(index)
    return block?.end() ?? NOTHING
  }

  function endAll(): readonly CanonicalEvent[] {
    return blocks.size === 0 ? NOTHING : [...blocks.keys()].flatMap(end)
  }

  function finish(delta: JsonObject): readonly CanonicalEvent[] {
    const reason = readFinish(delta.stop_reason, delta.stop_sequence)
    if (!reason || hasFinished) return NOTHING
    hasFinished = true
    return [...endAll(), { type: 'finish', ...reason }]
  }

  return ({ name, data }) => {
    const event = parseJsonObject(data)
    if (!event) return name === 'error' ? [errorEvent({ message: data })] : NOTHING
    switch (event.type) {
      case 'content_block_delta': {
        const delta = asJsonObject(event.delta) ?? {}
        const block = blocks.get(event.index)
        if (block) return block.delta(delta)
        const missed = startOf(delta)
        return missed ? [...open(event.index, missed, data), ...blocks.get(event.index)!.delta(delta)] : NOTHING
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
        const error = errorIn(name === 'error' ? { ...event, type: 'error' } : event)
        return error ? [errorEvent(error)] : NOTHING
      }
    }
  }
}

function errorEvent(error: WireError): CanonicalEvent {
  return { type: 'error', error, status: statusOf(error) }
}

/** The block a piece must belong to when its vendor forgot to start one. A call cannot be made up: it has a name. */
function startOf(delta: JsonObject): JsonObject | undefined {
  if (delta.type === 'text_delta') return { type: 'text' }
  return delta.type === 'thinking_delta' || delta.type === 'signature_delta' ? { type: 'thinking' } : undefined
}
