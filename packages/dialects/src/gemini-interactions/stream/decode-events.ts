import { createDropReporter } from '../../canonical/dropped.ts'
import type { CanonicalEvent, DecodeContext, EventDecoder, Signature } from '../../canonical/index.ts'
import { readError } from '../../google-wire/errors.ts'
import { jsonTextAt } from '../../google-wire/exact-json.ts'
import {
  asCount,
  asJsonObject,
  asJsonObjects,
  asText,
  parseJsonObject,
  type JsonObject,
} from '../../json/json-object.ts'
import { DIALECT_ID } from '../ids.ts'
import { generatedText, modelOutput } from '../response/decode-response.ts'
import { readEnd } from '../response/finish-reason.ts'
import { readAnnotations, readImage, readQueries, readSearch, unreadParts } from '../response/steps-reader.ts'
import { readUsage } from '../response/usage.ts'
import { EMPTY_SIGNATURE } from '../signatures.ts'

/** A step whose `step.stop` was not received yet. */
type OpenStep =
  | { readonly kind: 'output' }
  | { readonly kind: 'thought'; readonly block: number; signature: Signature }
  | { readonly kind: 'call'; readonly block: number; readonly started: string | undefined; hasDelta: boolean }
  | { readonly kind: 'hosted'; step: JsonObject }
  | { readonly kind: 'ignored' }

/** Decodes the events of a stream. Its last event has the usage. */
export function createDecoder(context: DecodeContext): EventDecoder {
  const reader = createReader(context)
  return ({ data }) => {
    const body = parseJsonObject(data)
    if (!body) return data.trim() === '[DONE]' ? [{ type: 'done' }] : []
    return reader.read(body, data)
  }
}

/** Codes are texts in this protocol. Some are the status. */
function statusOf(code: unknown): number | undefined {
  return typeof code === 'string' && /^[45]\d\d$/.test(code) ? Number(code) : undefined
}

function createReader({ newId }: DecodeContext) {
  let events: CanonicalEvent[] = []
  let block = -1
  /** The text block of the open output. */
  let textBlock: number | undefined
  let hasCalls = false
  let hasStarted = false
  let isOver = false
  let queries: string[] = []
  let searches = 0
  const open = new Map<number, OpenStep>()
  const reportDropped = createDropReporter()

  function endText(): void {
    if (textBlock !== undefined) events.push({ type: 'text-end', block: textBlock })
    textBlock = undefined
  }

  function begin(): number {
    endText()
    block += 1
    return block
  }

  /** Text and thoughts end before the next step, whatever the provider sends. */
  function endSerialSteps(): void {
    for (const [index, step] of open) if (step.kind === 'output' || step.kind === 'thought') stop(index, step)
  }

  function reportUnread(step: JsonObject): void {
    for (const name of unreadParts(step)) events.push(...reportDropped(name))
  }

  function start(index: number, step: JsonObject, data: string): void {
    endSerialSteps()
    reportUnread(step)
    switch (step.type) {
      case 'model_output':
        open.set(index, { kind: 'output' })
        for (const content of asJsonObjects(step.content)) addContent(content)
        return
      case 'thought': {
        const thought: OpenStep = { kind: 'thought', block: begin(), signature: EMPTY_SIGNATURE }
        events.push({ type: 'thinking-start', block: thought.block })
        open.set(index, thought)
        for (const content of asJsonObjects(step.summary)) addThought(thought, content)
        sign(thought, step.signature)
        return
      }
      case 'function_call': {
        hasCalls = true
        const args = asJsonObject(step.arguments) ?? {}
        const started = Object.keys(args).length > 0 ? jsonTextAt(data, ['step', 'arguments']) : undefined
        const at = begin()
        const id = asText(step.id) || `call_${newId()}`
        events.push({ type: 'tool-call-start', block: at, id, name: asText(step.name) })
        open.set(index, { kind: 'call', block: at, started, hasDelta: false })
        return
      }
      case 'user_input':
      case 'function_result':
        open.set(index, { kind: 'ignored' })
        return
      default:
        open.set(index, { kind: 'hosted', step })
    }
  }

  function addContent(content: JsonObject): void {
    const image = readImage(content)
    if (image) {
      const { mediaType, data } = image.source as { mediaType: string; data: string }
      events.push({ type: 'image', block: begin(), mediaType, data })
    } else if (content.type === 'text') {
      addText(asText(content.text))
      cite(content.annotations)
    } else if (content.type !== undefined) {
      endText()
      events.push({ type: 'native', part: { type: 'native', dialect: DIALECT_ID, value: modelOutput(content) } })
    }
  }

  function addText(text: string): void {
    if (text === '') return
    if (textBlock === undefined) {
      textBlock = begin()
      events.push({ type: 'text-start', block: textBlock })
    }
    events.push({ type: 'text-delta', block: textBlock, text })
  }

  function cite(annotations: unknown): void {
    if (textBlock === undefined) return
    for (const citation of readAnnotations(annotations)) events.push({ type: 'citation', block: textBlock, citation })
  }

  function addThought(thought: Extract<OpenStep, { kind: 'thought' }>, content: JsonObject | undefined): void {
    const text = asText(content?.text)
    if (text !== '') events.push({ type: 'thinking-delta', block: thought.block, text })
  }

  function sign(thought: Extract<OpenStep, { kind: 'thought' }>, signature: unknown): void {
    const value = asText(signature)
    if (value !== '') thought.signature = { dialect: DIALECT_ID, value: thought.signature.value + value }
  }

  function change(index: number, delta: JsonObject): void {
    if (delta.type !== 'text' || delta.annotations !== undefined) reportUnread(delta)
    const step = open.get(index)
    switch (step?.kind) {
      case 'output':
        if (delta.type === 'text_annotation_delta' || delta.type === 'text_annotation') cite(delta.annotations)
        else addContent(delta)
        return
      case 'thought':
        if (delta.type === 'thought_signature') sign(step, delta.signature)
        else addThought(step, asJsonObject(delta.content))
        return
      case 'call': {
        const text = asText(delta.arguments)
        if (text === '') return
        step.hasDelta = true
        events.push({ type: 'tool-call-delta', block: step.block, text })
        return
      }
      case 'hosted': {
        const { type: _type, ...members } = delta
        step.step = { ...step.step, ...members }
        return
      }
      default:
    }
  }

  function stop(index: number, step: OpenStep): void {
    open.delete(index)
    switch (step.kind) {
      case 'output':
        endText()
        return
      case 'thought':
        events.push({ type: 'thinking-end', block: step.block, signature: step.signature })
        return
      case 'call':
        if (!step.hasDelta) events.push({ type: 'tool-call-delta', block: step.block, text: step.started ?? '{}' })
        events.push({ type: 'tool-call-end', block: step.block })
        return
      case 'hosted':
        addHosted(step.step)
        return
      case 'ignored':
    }
  }

  function addHosted(step: JsonObject): void {
    endText()
    reportUnread(step)
    const part = { type: 'native', dialect: DIALECT_ID, value: step } as const
    if (step.type === 'google_search_call') {
      queries = readQueries(step)
      searches += queries.length
    }
    const text = generatedText(step)
    events.push({
      type: 'native',
      part,
      ...(text !== '' && { text }),
      ...(step.type === 'google_search_result' && { search: readSearch(queries, step) }),
    })
  }

  function complete(interaction: JsonObject): void {
    for (const [index, step] of open) stop(index, step)
    if (isOver) return
    isOver = true
    const { finish, error } = readEnd(interaction, hasCalls)
    const usage = asJsonObject(interaction.usage)
    if (usage) {
      const report = readUsage(usage, { searches, serviceTier: asText(interaction.service_tier) })
      events.push({ type: 'usage', usage: report })
    }
    if (error) events.push({ type: 'error', error })
    else events.push({ type: 'finish', ...(finish ?? { reason: 'stop' }) }, { type: 'done' })
  }

  function begins(interaction: JsonObject): void {
    if (hasStarted) return
    hasStarted = true
    const id = asText(interaction.id)
    const model = asText(interaction.model)
    const created = Math.floor(Date.parse(asText(interaction.created)) / 1000)
    events.push({ type: 'response-start', ...(id && { id }), ...(model && { model }), ...(created && { created }) })
  }

  return {
    read(body: JsonObject, data: string): readonly CanonicalEvent[] {
      events = []
      const index = asCount(body.index)
      switch (body.event_type) {
        case 'interaction.created':
          begins(asJsonObject(body.interaction) ?? {})
          break
        case 'step.start':
          start(index, asJsonObject(body.step) ?? {}, data)
          break
        case 'step.delta':
          change(index, asJsonObject(body.delta) ?? {})
          break
        case 'step.stop': {
          const step = open.get(index)
          if (step) stop(index, step)
          break
        }
        case 'interaction.completed':
          complete(asJsonObject(body.interaction) ?? {})
          break
        default: {
          const failure = body.event_type === 'error' || body.event_type === undefined ? readError(body) : undefined
          if (failure) events.push({ type: 'error', status: statusOf(failure.error.code), ...failure })
        }
      }
      return events
    },
  }
}
