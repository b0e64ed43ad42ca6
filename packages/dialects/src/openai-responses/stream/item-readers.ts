import { asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { imageType } from '../image-call.ts'
import { createCallReader, type CallReader } from './read-call.ts'
import { createMessageReader, type MessageReader } from './read-message.ts'
import { createReasoningReader, type ReasoningReader } from './read-reasoning.ts'
import type { Stage } from './event-collector.ts'

type Reader = MessageReader | ReasoningReader | CallReader | HostedReader

/** The items of an answer under way, by their place in it. Vendors that number them badly are told apart by ids. */
export function createItemReaders(stage: Stage) {
  const readers = new Map<unknown, Reader>()
  const finished = new Set<unknown>()

  function open(key: unknown, item: JsonObject): Reader {
    readers.get(key)?.close()
    finished.delete(key)
    const reader = readerFor(stage, item)
    readers.set(key, reader)
    return reader
  }

  function done(place: unknown, item: JsonObject): void {
    const key = keyOf(place, item.id)
    const known = readers.get(key)
    const reader = known && known.kind === kindOf(item) ? known : open(key, item)
    reader.done(item)
    finished.add(key)
    if (asText(item.id) !== '') finished.add(item.id)
  }

  return {
    add(place: unknown, item: JsonObject): void {
      open(keyOf(place, item.id), item)
    },
    done,
    message({ output_index, item_id }: JsonObject): MessageReader {
      const key = keyOf(output_index, item_id)
      const known = readers.get(key)
      return known?.kind === 'message' ? known : (open(key, { type: 'message' }) as MessageReader)
    },
    reasoning({ output_index, item_id }: JsonObject): ReasoningReader {
      const key = keyOf(output_index, item_id)
      const known = readers.get(key)
      return known?.kind === 'reasoning' ? known : (open(key, { type: 'reasoning', id: item_id }) as ReasoningReader)
    },
    /** `undefined` when the call was never announced: nobody knows yet who is called. */
    call({ output_index, item_id }: JsonObject): CallReader | undefined {
      const known = readers.get(keyOf(output_index, item_id))
      return known?.kind === 'call' ? known : undefined
    },
    /** Whatever of the whole answer has not been told. */
    recover(output: readonly unknown[]): void {
      output.forEach((value, place) => {
        const item = asJsonObject(value) ?? {}
        if (finished.has(place) || finished.has(item.id)) return
        done(readers.has(item.id) ? undefined : place, item)
      })
    },
    close(): void {
      for (const reader of readers.values()) reader.close()
    },
  }
}

function keyOf(place: unknown, id: unknown): unknown {
  return typeof place === 'number' ? place : asText(id)
}

function kindOf({ type }: JsonObject): Reader['kind'] {
  switch (type) {
    case 'message':
    case 'reasoning':
      return type
    case 'function_call':
    case 'custom_tool_call':
      return 'call'
    default:
      return 'hosted'
  }
}

function readerFor(stage: Stage, item: JsonObject): Reader {
  switch (kindOf(item)) {
    case 'message':
      return createMessageReader(stage)
    case 'reasoning':
      return createReasoningReader(stage, item)
    case 'call':
      return createCallReader(stage, item)
    case 'hosted':
      return createHostedReader(stage)
  }
}

type HostedReader = ReturnType<typeof createHostedReader>

/** A tool the vendor runs itself: seen at work, and heard of only when it made an image. */
function createHostedReader(stage: Stage) {
  stage.emit({ type: 'native' })
  return {
    kind: 'hosted' as const,
    done(item: JsonObject): void {
      const data = item.type === 'image_generation_call' ? asText(item.result) : ''
      if (data !== '') stage.emit({ type: 'image', block: stage.nextBlock(), mediaType: imageType(item), data })
    },
    close(): void {},
  }
}
