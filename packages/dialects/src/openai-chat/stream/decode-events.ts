import { createDropReporter } from '../../canonical/dropped.ts'
import type { CanonicalEvent, DecodeContext, EventDecoder, StreamEvent } from '../../canonical/index.ts'
import { readError, errorStatus } from '../../openai-wire/errors.ts'
import { readChatUsage } from '../../openai-wire/usage.ts'
import { asJsonObject, asList, asText, parseJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { WireError } from '../../canonical/errors.ts'
import { createChoiceReader, type ChoiceReader } from './read-choice.ts'

const NO_EVENTS: readonly CanonicalEvent[] = []
const DONE: readonly CanonicalEvent[] = [{ type: 'done' }]

export function createDecoder(context: DecodeContext): EventDecoder {
  const reader = createChunkReader(context)
  let started = false
  let textMember: string | undefined

  function decode({ name, data }: StreamEvent): readonly CanonicalEvent[] {
    textMember = undefined
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
    textMember = textMemberOf(chunk, events)
    return events
  }

  return Object.assign(decode, { textMember: () => textMember })
}

const TEXT_MEMBERS = { 'text-delta': ['content'], 'thinking-delta': ['reasoning_content', 'reasoning'] } as const

function textMemberOf({ choices }: JsonObject, events: readonly CanonicalEvent[]): string | undefined {
  const [event] = events
  if (events.length !== 1 || (event?.type !== 'text-delta' && event?.type !== 'thinking-delta')) return undefined
  const delta = asJsonObject(asJsonObject(asList(choices)[0])?.delta)
  // Reasoning details produce no event, so such a chunk has more than its text.
  if (!delta || delta.reasoning_details !== undefined) return undefined
  return TEXT_MEMBERS[event.type].find((member) => delta[member] === event.text)
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

/** Sources that some providers list beside the choices, numbered in the text. */
const SOURCE_LISTS = ['citations', 'search_results']

/** Reads the choices and usage of a chunk, or of a whole response. */
export function createChunkReader(context: DecodeContext) {
  const readers = new Map<unknown, ChoiceReader>()
  const blocks = { next: 0 }
  const reportDropped = createDropReporter()
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
      for (const name of SOURCE_LISTS) if (asList(chunk[name]).length > 0) events.push(...reportDropped(name))
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
