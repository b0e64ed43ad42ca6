import type { CanonicalEvent, DecodeContext, Signature } from '../../canonical/index.ts'
import { asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { vendorCallSignature } from '../signatures.ts'

interface Call {
  id: string
  name: string
  signature?: Signature
  /** Plain text instead of JSON: told as the `input` of an object, which is what other dialects have. */
  readonly isText: boolean
  block: number | undefined
  /** Arguments that came before the name. */
  held: string
}

/** Calls stay open until the answer ends: vendors may go back to an earlier one. */
export function createCallReader(blocks: { next: number }, { newId }: DecodeContext) {
  const calls = new Map<unknown, Call>()
  let seen = false

  function read(place: unknown, value: JsonObject, events: CanonicalEvent[]): void {
    const isText = value.type === 'custom' || asJsonObject(value.custom) !== undefined
    const called = asJsonObject(isText ? value.custom : value.function) ?? {}
    const id = asText(value.id)
    const name = asText(called.name)
    let call = calls.get(place)
    if (!call || isAnother(call, { id, name, index: value.index })) {
      if (call) end(call, events)
      call = { id, name, isText, block: undefined, held: '', signature: vendorCallSignature(value) }
      calls.set(place, call)
    }
    call.id ||= id
    call.name ||= name
    give(call, isText ? asText(called.input) : argumentsOf(called.arguments), events)
  }

  function give(call: Call, text: string, events: CanonicalEvent[]): void {
    if (call.name === '') {
      call.held += text
      return
    }
    if (call.block === undefined) start(call, events)
    const piece = call.isText ? JSON.stringify(text).slice(1, -1) : text
    if (piece !== '') events.push({ type: 'tool-call-delta', block: call.block!, text: piece })
  }

  function start(call: Call, events: CanonicalEvent[]): void {
    seen = true
    call.block = blocks.next++
    call.id ||= `call_${newId()}`
    const { block, id, name, signature, held } = call
    events.push({ type: 'tool-call-start', block, id, name, ...(signature && { signature }) })
    if (call.isText) events.push({ type: 'tool-call-delta', block, text: '{"input":"' })
    if (held !== '') give(call, held, events)
  }

  function end(call: Call, events: CanonicalEvent[]): void {
    if (call.block === undefined) return
    if (call.isText) events.push({ type: 'tool-call-delta', block: call.block, text: '"}' })
    events.push({ type: 'tool-call-end', block: call.block })
  }

  return {
    read(said: JsonObject, events: CanonicalEvent[]): void {
      if (Array.isArray(said.tool_calls)) {
        for (const [position, value] of (said.tool_calls as unknown[]).entries()) {
          const call = asJsonObject(value)
          if (call) read(call.index ?? position, call, events)
        }
      }
      const legacy = asJsonObject(said.function_call)
      if (legacy) read('function_call', { function: legacy, index: 0 }, events)
    },
    close(events: CanonicalEvent[]): void {
      for (const call of calls.values()) end(call, events)
      calls.clear()
    },
    get seen() {
      return seen
    },
  }
}

/** Some vendors number no calls, or give all of them the same number: then a new id, or a second name, begins one. */
function isAnother(call: Call, next: { id: string; name: string; index: unknown }): boolean {
  if (next.name === '' || call.name === '') return false
  if (next.id !== '' && call.id !== '') return next.id !== call.id
  return next.index === undefined
}

function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
