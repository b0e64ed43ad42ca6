import { asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { readCitations } from '../../openai-wire/citations.ts'
import { droppedInItem, readImageType, readSearch } from '../output-items.ts'
import { SECTION_SEPARATOR, readProviderSignature, readReasoningTexts } from '../signatures.ts'
import { flatName, INPUT_END, INPUT_START, escapeTextInput } from '../tool-names.ts'
import type { EventCollector } from './event-collector.ts'

type Reader = MessageReader | ReasoningReader | CallReader | HostedReader

/** Readers of open items by output index, or by id for providers that send no index. */
export function createItemReaders(collector: EventCollector) {
  const readers = new Map<unknown, Reader>()
  const finished = new Set<unknown>()

  function open(key: unknown, item: JsonObject): Reader {
    readers.get(key)?.close()
    finished.delete(key)
    const reader = readerFor(collector, item)
    readers.set(key, reader)
    return reader
  }

  function done(outputIndex: unknown, item: JsonObject): void {
    const key = keyOf(outputIndex, item.id)
    const known = readers.get(key)
    const reader = known && known.kind === kindOf(item) ? known : open(key, item)
    reader.done(item)
    for (const name of droppedInItem(item)) collector.drop(name)
    finished.add(key)
    if (asText(item.id) !== '') finished.add(item.id)
  }

  return {
    add(outputIndex: unknown, item: JsonObject): void {
      open(keyOf(outputIndex, item.id), item)
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
    /** `undefined` if the call was not announced, so its name is unknown. */
    call({ output_index, item_id }: JsonObject): CallReader | undefined {
      const known = readers.get(keyOf(output_index, item_id))
      return known?.kind === 'call' ? known : undefined
    },
    /** Emits the items of the whole response that were not streamed. */
    recover(output: readonly unknown[]): void {
      output.forEach((value, outputIndex) => {
        const item = asJsonObject(value) ?? {}
        if (finished.has(outputIndex) || finished.has(item.id)) return
        done(readers.has(item.id) ? undefined : outputIndex, item)
      })
    },
    close(): void {
      for (const reader of readers.values()) reader.close()
    },
  }
}

function keyOf(outputIndex: unknown, id: unknown): unknown {
  return typeof outputIndex === 'number' ? outputIndex : asText(id)
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

function readerFor(collector: EventCollector, item: JsonObject): Reader {
  switch (kindOf(item)) {
    case 'message':
      return createMessageReader(collector)
    case 'reasoning':
      return createReasoningReader(collector, item)
    case 'call':
      return createCallReader(collector, item)
    case 'hosted':
      return createHostedReader(collector)
  }
}

type HostedReader = ReturnType<typeof createHostedReader>

/** Hosted tool. Only a generated image and a search become content. */
function createHostedReader(collector: EventCollector) {
  collector.emit({ type: 'native' })
  return {
    kind: 'hosted' as const,
    done(item: JsonObject): void {
      const search = readSearch(item)
      if (search) collector.emit({ type: 'native', search })
      const data = item.type === 'image_generation_call' ? asText(item.result) : ''
      if (data !== '')
        collector.emit({ type: 'image', block: collector.nextBlock(), mediaType: readImageType(item), data })
    },
    close(): void {},
  }
}

type PartKind = 'text' | 'refusal'

interface OpenPart {
  readonly block: number
  readonly kind: PartKind
  /** Characters already emitted. The rest of the whole text is still to emit. */
  sent: number
  /** Citations already emitted. */
  cited: number
  isOpen: boolean
}

type MessageReader = ReturnType<typeof createMessageReader>

/** Reads a streamed message. Each part is a block that starts with its first character. */
function createMessageReader(collector: EventCollector) {
  const parts = new Map<number, OpenPart>()

  function open(index: number, kind: PartKind): OpenPart {
    const part: OpenPart = { block: collector.nextBlock(), kind, sent: 0, cited: 0, isOpen: true }
    parts.set(index, part)
    if (kind === 'text') collector.emit({ type: 'text-start', block: part.block })
    return part
  }

  function delta(index: number, kind: PartKind, text: string): void {
    if (text === '') return
    const part = parts.get(index) ?? open(index, kind)
    part.sent += text.length
    collector.emit({ type: part.kind === 'text' ? 'text-delta' : 'refusal-delta', block: part.block, text })
  }

  function cite(index: number, annotations: readonly unknown[]): void {
    const part = parts.get(index)
    if (!part?.isOpen || part.kind !== 'text') return
    part.cited += annotations.length
    for (const citation of readCitations(annotations)) collector.emit({ type: 'citation', block: part.block, citation })
  }

  function end(part: OpenPart): void {
    if (part.isOpen && part.kind === 'text') collector.emit({ type: 'text-end', block: part.block })
    part.isOpen = false
  }

  /** Ends a part. `value` is the whole part, because deltas may be incomplete. */
  function endPart(index: number, value: JsonObject): void {
    const kind = value.type === 'refusal' ? 'refusal' : 'text'
    const known = parts.get(index)
    if (known?.isOpen === false) return
    delta(index, kind, asText(value[kind]).slice(known?.sent ?? 0))
    const part = parts.get(index)
    if (!part) return
    // `response.output_text.done` comes first, and has no annotations.
    if (value.annotations === undefined && kind === 'text') return
    cite(index, asList(value.annotations).slice(part.cited))
    end(part)
  }

  function close(): void {
    for (const part of parts.values()) end(part)
  }

  return {
    kind: 'message' as const,
    delta,
    cite: (index: number, annotation: unknown) => cite(index, [annotation]),
    endPart,
    done(item: JsonObject): void {
      asList(item.content).forEach((part, index) => endPart(index, asJsonObject(part) ?? {}))
      close()
    },
    close,
  }
}

type ReasoningReader = ReturnType<typeof createReasoningReader>

/**
 * Reads streamed reasoning. Providers send the reasoning, a summary in sections, or both. The first kind that arrives
 * is used. Reasoning without text and signature is dropped.
 */
function createReasoningReader(collector: EventCollector, added: JsonObject) {
  let source: 'summary' | 'content' | undefined
  let block = -1
  let section = 0
  let sent = 0
  let isOver = false

  function start(): void {
    if (block !== -1) return
    block = collector.nextBlock()
    collector.emit({ type: 'thinking-start', block })
  }

  function delta(from: 'summary' | 'content', index: number, text: string): void {
    if (text === '') return
    source ??= from
    if (source !== from || index < section) return
    start()
    if (index > section) {
      if (sent > 0) collector.emit({ type: 'thinking-delta', block, text: SECTION_SEPARATOR })
      section = index
      sent = 0
    }
    sent += text.length
    collector.emit({ type: 'thinking-delta', block, text })
  }

  /** Ends a section. `whole` is its whole text, because deltas may be incomplete. */
  function endSection(from: 'summary' | 'content', index: number, whole: string): void {
    delta(from, index, index === section ? whole.slice(sent) : whole)
  }

  function end(item: JsonObject): void {
    if (isOver) return
    isOver = true
    if (block === -1 && asText(item.encrypted_content) !== '') start()
    if (block !== -1) collector.emit({ type: 'thinking-end', block, signature: readProviderSignature(item) })
  }

  return {
    kind: 'reasoning' as const,
    delta,
    endSection,
    done(item: JsonObject): void {
      if (isOver) return
      const from = source ?? 'summary'
      readReasoningTexts(item, source).forEach((sectionText, index) => endSection(from, index, sectionText))
      end(item)
    },
    // Only the finished item has the whole signature. A partial one must not be sent back.
    close: () => end({ id: added.id }),
  }
}

type CallReader = ReturnType<typeof createCallReader>

/** Reads a streamed call. Arguments are emitted unchanged; the input of a text tool becomes JSON. */
function createCallReader(collector: EventCollector, added: JsonObject) {
  const takesText = added.type === 'custom_tool_call'
  let block = -1
  let sent = 0
  let isOver = false

  function start(item: JsonObject): void {
    block = collector.nextBlock()
    collector.markCall()
    collector.emit({
      type: 'tool-call-start',
      block,
      id: asText(item.call_id) || asText(item.id) || `call_${collector.newId()}`,
      name: flatName(item.namespace, asText(item.name)),
    })
    if (takesText) collector.emit({ type: 'tool-call-delta', block, text: INPUT_START })
  }

  function delta(text: string): void {
    // The name is not known yet. The finished item repeats the arguments.
    if (text === '' || block === -1 || isOver) return
    sent += text.length
    collector.emit({ type: 'tool-call-delta', block, text: takesText ? escapeTextInput(text) : text })
  }

  function end(): void {
    if (isOver || block === -1) return
    isOver = true
    if (takesText) collector.emit({ type: 'tool-call-delta', block, text: INPUT_END })
    collector.emit({ type: 'tool-call-end', block })
  }

  if (asText(added.name) !== '') start(added)
  return {
    kind: 'call' as const,
    delta,
    /** `whole` has all arguments, because deltas may be incomplete. */
    endArguments: (whole: string) => delta(whole.slice(sent)),
    done(item: JsonObject): void {
      if (block === -1) start(item)
      delta(asText(takesText ? item.input : item.arguments).slice(sent))
      end()
    },
    close: end,
  }
}
