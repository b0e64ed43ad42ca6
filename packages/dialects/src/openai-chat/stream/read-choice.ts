import type { CanonicalEvent, DecodeContext } from '../../canonical/index.ts'
import { asList, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { readFinish } from '../response/finish-reason.ts'
import { imageOf, type ImageFound } from '../images.ts'
import { createCallReader } from './read-tool-calls.ts'
import { createReasoningReader } from './read-reasoning.ts'

export type FinishEvent = Extract<CanonicalEvent, { type: 'finish' }>

export interface ChoiceReader {
  read(choice: JsonObject, events: CanonicalEvent[]): void
  /** Ends whatever is open. */
  close(events: CanonicalEvent[]): void
  /** Known once the choice is over. */
  readonly finish: FinishEvent | undefined
}

/** What one choice of a stream has said so far: pieces of text in, blocks with a beginning and an end out. */
export function createChoiceReader(blocks: { next: number }, context: DecodeContext): ChoiceReader {
  let calls: ReturnType<typeof createCallReader> | undefined // few answers call tools
  const reasoning = createReasoningReader()
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

  function think(text: string, events: CanonicalEvent[]): void {
    if (text !== '') events.push({ type: 'thinking-delta', block: blockOf('thinking', events), text })
  }

  function say(text: string, events: CanonicalEvent[]): void {
    if (text !== '') events.push({ type: 'text-delta', block: blockOf('text', events), text })
  }

  function show(found: ImageFound | undefined, events: CanonicalEvent[]): void {
    if (!found) return
    if (found.kind === 'url') return say(`![image](${found.url})`, events)
    endOpen(events)
    events.push({ type: 'image', block: blocks.next++, mediaType: found.mediaType, data: found.data })
  }

  /** Content as a list of parts, as vendors write it whose models think and draw in between. */
  function readParts(parts: readonly unknown[], events: CanonicalEvent[]): void {
    for (const value of parts) {
      const part = asJsonObject(value) ?? {}
      if (part.type === 'thinking') think(wordsOf(part.thinking), events)
      else if (part.type === 'image_url') show(imageOf(part), events)
      else if (part.type === 'refusal') refuse(asText(part.refusal), events)
      else say(asText(part.text), events)
    }
  }

  function refuse(text: string, events: CanonicalEvent[]): void {
    if (text !== '') events.push({ type: 'refusal-delta', block: blockOf('refusal', events), text })
  }

  function close(events: CanonicalEvent[]): void {
    endOpen(events)
    calls?.close(events)
    // Signatures of thoughts nobody was shown, or that came after the words they belong to.
    if (!reasoning.pending) return
    const block = blockOf('thinking', events)
    events.push({ type: 'thinking-end', block, ...reasoning.take() })
    open = undefined
  }

  return {
    read(choice, events) {
      const said = asJsonObject(choice.delta) ?? asJsonObject(choice.message)
      if (said) {
        think(reasoning.read(said), events)
        if (typeof said.content === 'string') say(said.content, events)
        else if (Array.isArray(said.content)) readParts(said.content, events)
        if (said.refusal) refuse(asText(said.refusal), events)
        if (said.images) for (const image of asList(said.images)) show(imageOf(asJsonObject(image)), events)
        if (said.audio) events.push({ type: 'native', text: asText(asJsonObject(said.audio)?.transcript) })
        if (hasCalls(said)) {
          endOpen(events)
          calls ??= createCallReader(blocks, context)
          calls.read(said, events)
        }
      }
      if (typeof choice.finish_reason !== 'string' || choice.finish_reason === '' || finish) return
      close(events)
      finish = {
        type: 'finish',
        reason: readFinish(choice.finish_reason, calls?.seen ?? false),
        raw: choice.finish_reason,
      }
    },
    close,
    get finish() {
      return finish
    },
  }
}

/** Some vendors send an empty list with every piece of text. */
function hasCalls({ tool_calls, function_call }: JsonObject): boolean {
  return (Array.isArray(tool_calls) && tool_calls.length > 0) || asJsonObject(function_call) !== undefined
}

function wordsOf(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking
  return asList(thinking)
    .map((thought) => asText(asJsonObject(thought)?.text))
    .join('')
}
