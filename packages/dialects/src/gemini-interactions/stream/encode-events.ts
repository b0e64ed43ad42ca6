import type { UsageReport } from '@tidegate/contract'
import type {
  CanonicalEvent,
  CanonicalResponse,
  EventEncoder,
  ResponseContext,
  ThinkingPart,
} from '../../canonical/index.ts'
import { parseJsonObject, type JsonObject } from '../../json/json-object.ts'
import { membersOf } from '../../sse/write-frame.ts'
import { DIALECT_ID } from '../ids.ts'
import {
  annotationOf,
  INCOMPLETE,
  interactionOf,
  searchSteps,
  showsThoughts,
  thoughtStep,
} from '../response/encode-response.ts'
import { writeEnd } from '../response/finish-reason.ts'
import { writeUsage } from '../response/usage.ts'
import { encodeCallSignature, encodeThoughtSignature } from '../signatures.ts'
import { END_MARKER, frameOf } from './frames.ts'

/** A step that the client receives. A hidden thought has no index until it is known to have a signature. */
interface OpenStep {
  readonly kind: 'text' | 'thought' | 'call'
  readonly index: number
  /** Members that begin every delta, as JSON. */
  readonly at: string
  text: string
}

/** Encodes a stream for a client. Each block of the response is a step. */
export function createEncoder(context: ResponseContext): EventEncoder {
  const visible = showsThoughts(context)
  const open = new Map<number, OpenStep>()
  /** Thoughts that the client does not see, until their signature is known. */
  const hidden = new Map<number, string>()
  let frames = ''
  let steps = 0
  let eventIds = 0
  let hasStarted = false
  let isMalformed = false
  let finish: CanonicalResponse['finish']

  function write(type: string, members: string): void {
    frames += frameOf(type, `"event_id":"e${eventIds}",${members}`)
    eventIds += 1
  }

  function begin(): void {
    if (hasStarted) return
    hasStarted = true
    const interaction = { ...interactionOf(context, { status: 'in_progress' }), ...context.echo }
    write('interaction.created', `"interaction":${JSON.stringify(interaction)}`)
  }

  function startStep(step: JsonObject): number {
    begin()
    const index = steps
    steps += 1
    write('step.start', `"index":${index},"step":${JSON.stringify(step)}`)
    return index
  }

  function openStep(block: number, kind: OpenStep['kind'], step: JsonObject): OpenStep {
    const index = startStep(step)
    const opened: OpenStep = { kind, index, at: `"index":${index}`, text: '' }
    open.set(block, opened)
    return opened
  }

  function writeDelta({ at }: Pick<OpenStep, 'at'>, delta: JsonObject): void {
    write('step.delta', `${at},"delta":${JSON.stringify(delta)}`)
  }

  /** A step that is complete when it starts. */
  function writeStep(step: JsonObject, delta?: JsonObject): void {
    const at = `"index":${startStep(step)}`
    if (delta) writeDelta({ at }, delta)
    write('step.stop', at)
  }

  function closeStep(block: number): void {
    const step = open.get(block)
    if (!step) return
    open.delete(block)
    if (step.kind === 'call') checkArguments(step)
    write('step.stop', step.at)
  }

  /** Clients parse the arguments as an object. */
  function checkArguments(step: OpenStep): void {
    if (step.text.trim() === '') writeDelta(step, { type: 'arguments_delta', arguments: '{}' })
    else if (!parseJsonObject(step.text)) isMalformed = true
  }

  function addText(block: number, text: string): void {
    if (text === '') return
    const step = open.get(block) ?? openStep(block, 'text', { type: 'model_output' })
    step.text += text
    write('step.delta', `${step.at},"delta":{"type":"text","text":${JSON.stringify(text)}}`)
  }

  function addThought(block: number, text: string): void {
    if (!visible) {
      hidden.set(block, (hidden.get(block) ?? '') + text)
      return
    }
    if (text === '') return
    const step = open.get(block) ?? openStep(block, 'thought', { type: 'thought' })
    step.text += text
    writeDelta(step, { type: 'thought_summary', content: { type: 'text', text } })
  }

  function endThought(block: number, ending: Pick<ThinkingPart, 'signature' | 'redacted'>): void {
    const step = open.get(block)
    const text = step?.text ?? hidden.get(block) ?? ''
    hidden.delete(block)
    const signature = encodeThoughtSignature({ text, ...ending })
    if (step) {
      if (signature !== undefined) writeDelta(step, { type: 'thought_signature', signature })
      closeStep(block)
    } else writeSignature(signature)
  }

  function writeSignature(signature: string | undefined): void {
    if (signature === undefined) return
    writeStep(thoughtStep('', undefined, visible) ?? { type: 'thought' }, { type: 'thought_signature', signature })
  }

  function startCall(event: Extract<CanonicalEvent, { type: 'tool-call-start' }>): void {
    const { block, id, name, signature } = event
    if (signature) writeSignature(encodeCallSignature(id, signature))
    openStep(block, 'call', { type: 'function_call', id, name, arguments: {} })
  }

  function addArguments(block: number, text: string): void {
    if (text === '') return
    const step = open.get(block) ?? openStep(block, 'call', { type: 'function_call', id: '', name: '', arguments: {} })
    step.text += text
    write('step.delta', `${step.at},"delta":{"type":"arguments_delta","arguments":${JSON.stringify(text)}}`)
  }

  function addNative(event: Extract<CanonicalEvent, { type: 'native' }>): void {
    if (event.part?.dialect === DIALECT_ID) writeStep(event.part.value)
    else if (event.search) {
      for (const step of searchSteps(event.search, `${context.requestId}_${steps}`)) writeStep(step)
    }
  }

  function take(): string {
    const taken = frames
    frames = ''
    return taken
  }

  function add(event: CanonicalEvent): void {
    switch (event.type) {
      case 'text-delta':
      case 'refusal-delta':
        return addText(event.block, event.text)
      case 'citation': {
        const step = open.get(event.block)
        if (!step) return
        return writeDelta(step, {
          type: 'text_annotation_delta',
          annotations: [annotationOf(event.citation, step.text)],
        })
      }
      case 'text-end':
      case 'tool-call-end':
        return closeStep(event.block)
      case 'thinking-delta':
        return addThought(event.block, event.text)
      case 'thinking-end':
        return endThought(event.block, event)
      case 'tool-call-start':
        return startCall(event)
      case 'tool-call-delta':
        return addArguments(event.block, event.text)
      case 'image':
        return writeStep({ type: 'model_output' }, { type: 'image', mime_type: event.mediaType, data: event.data })
      case 'native':
        return addNative(event)
      case 'finish':
        finish = event
        return
      default:
    }
  }

  return {
    encode(event: CanonicalEvent): string {
      add(event)
      return frames === '' ? '' : take()
    },
    end(usage: UsageReport): string {
      begin()
      for (const [block] of open) closeStep(block)
      const end = isMalformed ? INCOMPLETE : writeEnd(finish ?? { reason: 'stop' })
      const interaction = { ...interactionOf(context, end), usage: writeUsage(usage), ...context.echo }
      write('interaction.completed', membersOf({ interaction }))
      return take() + END_MARKER
    },
  }
}
