import type { CanonicalEvent, DecodeContext, EventDecoder } from '../../canonical/index.ts'
import { readError, errorStatus } from '../../openai-wire/errors.ts'
import { readChatUsage } from '../../openai-wire/usage.ts'
import { asText, asJsonObject, parseJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { WireError } from '../../canonical/errors.ts'
import { createTemplate, matchTemplate, type DeltaTemplate } from './delta-fast-path.ts'
import { createChoiceReader, type ChoiceReader } from './read-choice.ts'

const NO_EVENTS: readonly CanonicalEvent[] = []
const DONE: readonly CanonicalEvent[] = [{ type: 'done' }]

export function createDecoder(context: DecodeContext): EventDecoder {
  const reader = createChunkReader(context)
  let started = false
  /** Template of the previous chunk. Any other chunk resets it. */
  let template: DeltaTemplate | undefined

  return ({ name, data }) => {
    const delta = template && matchTemplate(template, { name, data })
    if (delta) return [delta]
    template = undefined
    if (data.startsWith('[DONE]')) return reader.close(DONE)
    const chunk = parseJsonObject(data)
    if (!chunk) return name === 'error' ? [errorEvent({ message: data })] : NO_EVENTS
    const error = readError(chunk) ?? (name === 'error' ? { message: asText(chunk.message) || data } : undefined)
    if (error) return [errorEvent(error)]

    const events: CanonicalEvent[] = []
    // Azure starts with a chunk of filter results without id and choices.
    if (!started && (asText(chunk.id) !== '' || reader.hasContent(chunk))) {
      started = true
      events.push(responseStart(chunk))
    }
    reader.read(chunk, events)
    template = createTemplate({ name, data, chunk, events })
    return events
  }
}

export function responseStart(chunk: JsonObject): Extract<CanonicalEvent, { type: 'response-start' }> {
  const { id, model, created } = chunk
  return {
    type: 'response-start',
    id: asText(id) || undefined,
    model: asText(model) || undefined,
    created: typeof created === 'number' ? created : undefined,
  }
}

function errorEvent(error: WireError): CanonicalEvent {
  return { type: 'error', error, status: errorStatus(error) }
}

/** Reads the choices and usage of a chunk, or of a whole response. */
export function createChunkReader(context: DecodeContext) {
  const readers = new Map<unknown, ChoiceReader>()
  const blocks = { next: 0 }
  let finished = false

  function readerOf(choice: JsonObject): ChoiceReader {
    const index = choice.index ?? 0
    let reader = readers.get(index)
    if (!reader) readers.set(index, (reader = createChoiceReader(blocks, context)))
    return reader
  }

  /** With several choices the response finishes with the last of them. */
  function finish(reader: ChoiceReader, events: CanonicalEvent[]): void {
    if (finished || !reader.finish) return
    for (const other of readers.values()) if (!other.finish) return
    finished = true
    events.push(reader.finish)
  }

  return {
    hasContent: ({ choices, usage }: JsonObject) =>
      (Array.isArray(choices) && choices.length > 0) || asJsonObject(usage) !== undefined,

    read(chunk: JsonObject, events: CanonicalEvent[]): void {
      let usage = asJsonObject(chunk.usage)
      if (Array.isArray(chunk.choices)) {
        for (const value of chunk.choices as unknown[]) {
          const choice = asJsonObject(value)
          if (!choice) continue
          const reader = readerOf(choice)
          reader.read(choice, events)
          finish(reader, events)
          usage ??= asJsonObject(choice.usage) // some providers put it here in a stream
        }
      }
      if (usage) events.push({ type: 'usage', usage: readChatUsage(chunk, usage) })
    },

    /** Ends open blocks, then adds the end marker. */
    close(mark: readonly CanonicalEvent[]): readonly CanonicalEvent[] {
      const events: CanonicalEvent[] = []
      for (const reader of readers.values()) reader.close(events)
      return events.length > 0 ? [...events, ...mark] : mark
    },
  }
}
