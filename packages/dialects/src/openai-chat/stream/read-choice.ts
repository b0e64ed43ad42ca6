import type { CanonicalEvent, DecodeContext, Signature } from '../../canonical/index.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { createDropReporter } from '../../canonical/dropped.ts'
import { droppedAnnotations, readCitations } from '../../openai-wire/citations.ts'
import { type ImageSource, readImage } from '../images.ts'
import { readFinish } from '../response/finish-reason.ts'
import { readProviderCallSignature } from '../signatures.ts'

type FinishEvent = Extract<CanonicalEvent, { type: 'finish' }>

export interface ChoiceReader {
  read(choice: JsonObject, events: CanonicalEvent[]): void
  /** Ends open blocks. */
  close(events: CanonicalEvent[]): void
  /** Set when the choice has finished. */
  readonly finish: FinishEvent | undefined
}

/** Converts the deltas of one choice to blocks with a start and an end. */
export function createChoiceReader(blocks: { next: number }, context: DecodeContext): ChoiceReader {
  let calls: ReturnType<typeof createCallReader> | undefined // few responses call tools
  const reasoning = createReasoningReader()
  const reportDropped = createDropReporter()
  let open: { readonly kind: 'text' | 'thinking' | 'refusal'; readonly block: number } | undefined
  let finish: FinishEvent | undefined

  function endOpen(events: CanonicalEvent[]): void {
    if (open?.kind === 'text') events.push({ type: 'text-end', block: open.block })
    if (open?.kind === 'thinking') events.push({ type: 'thinking-end', block: open.block, ...reasoning.take() })
    open = undefined
  }

  function blockOf(kind: 'text' | 'thinking' | 'refusal', events: CanonicalEvent[]): number {
    if (open?.kind === kind) return open.block
    endOpen(events)
    const block = blocks.next++
    open = { kind, block }
    if (kind !== 'refusal') events.push({ type: `${kind}-start`, block })
    return block
  }

  function addThought(text: string, events: CanonicalEvent[]): void {
    if (text !== '') events.push({ type: 'thinking-delta', block: blockOf('thinking', events), text })
  }

  function addText(text: string, events: CanonicalEvent[]): void {
    if (text !== '') events.push({ type: 'text-delta', block: blockOf('text', events), text })
  }

  function addImage(source: ImageSource | undefined, events: CanonicalEvent[]): void {
    if (!source) return
    if (source.kind === 'url') return addText(`![image](${source.url})`, events)
    endOpen(events)
    events.push({ type: 'image', block: blocks.next++, mediaType: source.mediaType, data: source.data })
  }

  /** Content as a list of parts, from models that mix thinking and images with text. */
  function readParts(parts: readonly unknown[], events: CanonicalEvent[]): void {
    for (const value of parts) {
      const part = asJsonObject(value) ?? {}
      if (part.type === 'thinking') addThought(readThinkingText(part.thinking), events)
      else if (part.type === 'image_url') addImage(readImage(part), events)
      else if (part.type === 'refusal') addRefusal(asText(part.refusal), events)
      else addText(asText(part.text), events)
    }
  }

  function addCitations(annotations: readonly unknown[], events: CanonicalEvent[]): void {
    if (open?.kind !== 'text') return
    const { block } = open
    const flat = annotations.map((value) => ({
      ...asJsonObject(asJsonObject(value)?.url_citation),
      type: 'url_citation',
    }))
    for (const citation of readCitations(flat)) events.push({ type: 'citation', block, citation })
  }

  function addRefusal(text: string, events: CanonicalEvent[]): void {
    if (text !== '') events.push({ type: 'refusal-delta', block: blockOf('refusal', events), text })
  }

  function close(events: CanonicalEvent[]): void {
    endOpen(events)
    calls?.close(events)
    // Signatures of hidden thoughts, or signatures that arrive after the text.
    if (!reasoning.pending) return
    const block = blockOf('thinking', events)
    events.push({ type: 'thinking-end', block, ...reasoning.take() })
    open = undefined
  }

  return {
    read(choice, events) {
      const delta = asJsonObject(choice.delta) ?? asJsonObject(choice.message)
      if (delta) {
        addThought(reasoning.read(delta), events)
        if (typeof delta.content === 'string') addText(delta.content, events)
        else if (Array.isArray(delta.content)) readParts(delta.content, events)
        if (delta.annotations) {
          addCitations(asList(delta.annotations), events)
          for (const name of droppedAnnotations(delta.annotations)) events.push(...reportDropped(name))
        }
        if (delta.refusal) addRefusal(asText(delta.refusal), events)
        if (delta.images) for (const image of asList(delta.images)) addImage(readImage(asJsonObject(image)), events)
        if (delta.audio) {
          events.push(
            { type: 'native', text: asText(asJsonObject(delta.audio)?.transcript) },
            ...reportDropped('audio'),
          )
        }
        if (hasCalls(delta)) {
          endOpen(events)
          calls ??= createCallReader(blocks, context)
          calls.read(delta, events)
        }
      }
      if (choice.logprobs) events.push(...reportDropped('logprobs'))
      if (typeof choice.finish_reason !== 'string' || choice.finish_reason === '' || finish) return
      close(events)
      finish = {
        type: 'finish',
        reason: readFinish(choice.finish_reason, calls?.hasCalls ?? false),
        raw: choice.finish_reason,
      }
    },
    close,
    get finish() {
      return finish
    },
  }
}

/** Some providers send an empty list with every delta. */
function hasCalls({ tool_calls, function_call }: JsonObject): boolean {
  return (Array.isArray(tool_calls) && tool_calls.length > 0) || asJsonObject(function_call) !== undefined
}

function readThinkingText(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking
  return asList(thinking)
    .map((thought) => asText(asJsonObject(thought)?.text))
    .join('')
}

interface ReasoningReader {
  /** Returns the reasoning text of a delta or message and collects its signature. */
  read(delta: JsonObject): string
  /** Returns the signature of the reasoning read so far. */
  take(): { readonly signature: Signature; readonly redacted?: boolean }
  /** Signature data remains that no thought has taken. */
  readonly pending: boolean
}

/**
 * Providers of this protocol have no signatures. Reasoning text goes back in the field it came in, and the signature
 * stores the name of that field. Routers send `reasoning_details`, which go back unchanged.
 */
function createReasoningReader(): ReasoningReader {
  let field = ''
  let details: Record<string, unknown>[] = []
  /** Details repeat the text of the plain field, at once or at the end. */
  let hasText = false

  return {
    read(delta) {
      const { reasoning_content: content, reasoning, reasoning_details: list } = delta
      let text = ''
      if (typeof content === 'string' && content !== '') text = content
      else if (typeof reasoning === 'string' && reasoning !== '') {
        text = reasoning
        field = 'reasoning'
      }
      if (text !== '') hasText = true
      if (!Array.isArray(list)) return text
      for (const detail of list as unknown[]) addDetail(details, asJsonObject(detail) ?? {})
      return hasText ? text : readDetailsText(list)
    },
    take() {
      const taken = details
      details = []
      if (taken.length === 0) return { signature: { dialect: 'openai-chat', value: field } }
      const redacted = taken.every(({ type }) => type === 'reasoning.encrypted')
      return {
        signature: { dialect: 'openai-chat', value: JSON.stringify(taken) },
        ...(redacted && { redacted }),
      }
    },
    get pending() {
      return details.length > 0
    },
  }
}

/** Merges streamed pieces of one detail, so that it equals the detail of a whole response. */
function addDetail(details: Record<string, unknown>[], piece: JsonObject): void {
  const last = details.at(-1)
  // Without an index a piece cannot be matched to a detail.
  if (!last || typeof piece.index !== 'number' || last.index !== piece.index || last.type !== piece.type) {
    details.push({ ...piece })
    return
  }
  for (const [name, value] of Object.entries(piece)) {
    const isPiece = (name === 'text' || name === 'summary' || name === 'data') && typeof last[name] === 'string'
    if (isPiece) last[name] = asText(last[name]) + asText(value)
    else if (value !== null && value !== undefined) last[name] = value
  }
}

function readDetailsText(details: readonly unknown[]): string {
  const objects = details.map((detail) => asJsonObject(detail) ?? {})
  return objects.map((detail) => asText(detail.text) || asText(detail.summary)).join('')
}

interface Call {
  id: string
  name: string
  signature?: Signature
  /** Plain text instead of JSON. Becomes the `input` of an object, as in other protocols. */
  readonly isText: boolean
  block: number | undefined
  /** Arguments that arrived before the name. */
  buffered: string
}

/** Calls stay open until the response ends, because providers may continue an earlier one. */
function createCallReader(blocks: { next: number }, { newId }: DecodeContext) {
  const calls = new Map<unknown, Call>()
  let hasCalls = false

  function read(key: unknown, value: JsonObject, events: CanonicalEvent[]): void {
    const isText = value.type === 'custom' || asJsonObject(value.custom) !== undefined
    const called = asJsonObject(isText ? value.custom : value.function) ?? {}
    const id = asText(value.id)
    const name = asText(called.name)
    let call = calls.get(key)
    if (!call || isNewCall(call, { id, name, index: value.index })) {
      if (call) end(call, events)
      call = { id, name, isText, block: undefined, buffered: '', signature: readProviderCallSignature(value) }
      calls.set(key, call)
    }
    call.id ||= id
    call.name ||= name
    addArguments(call, isText ? asText(called.input) : readArguments(called.arguments), events)
  }

  function addArguments(call: Call, text: string, events: CanonicalEvent[]): void {
    if (call.name === '') {
      call.buffered += text
      return
    }
    if (call.block === undefined) start(call, events)
    const piece = call.isText ? JSON.stringify(text).slice(1, -1) : text
    if (piece !== '') events.push({ type: 'tool-call-delta', block: call.block!, text: piece })
  }

  function start(call: Call, events: CanonicalEvent[]): void {
    hasCalls = true
    call.block = blocks.next++
    call.id ||= `call_${newId()}`
    const { block, id, name, signature, buffered } = call
    events.push({ type: 'tool-call-start', block, id, name, ...(signature && { signature }) })
    if (call.isText) events.push({ type: 'tool-call-delta', block, text: '{"input":"' })
    if (buffered !== '') addArguments(call, buffered, events)
  }

  function end(call: Call, events: CanonicalEvent[]): void {
    if (call.block === undefined) return
    if (call.isText) events.push({ type: 'tool-call-delta', block: call.block, text: '"}' })
    events.push({ type: 'tool-call-end', block: call.block })
  }

  return {
    read(delta: JsonObject, events: CanonicalEvent[]): void {
      if (Array.isArray(delta.tool_calls)) {
        for (const [position, value] of (delta.tool_calls as unknown[]).entries()) {
          const call = asJsonObject(value)
          if (call) read(call.index ?? position, call, events)
        }
      }
      const legacy = asJsonObject(delta.function_call)
      if (legacy) read('function_call', { function: legacy, index: 0 }, events)
    },
    close(events: CanonicalEvent[]): void {
      for (const call of calls.values()) end(call, events)
      calls.clear()
    },
    get hasCalls() {
      return hasCalls
    },
  }
}

/** Some providers send no index, or the same index for all calls. Then a new id or a second name starts a call. */
function isNewCall(call: Call, next: { id: string; name: string; index: unknown }): boolean {
  if (next.name === '' || call.name === '') return false
  if (next.id !== '' && call.id !== '') return next.id !== call.id
  return next.index === undefined
}

function readArguments(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
