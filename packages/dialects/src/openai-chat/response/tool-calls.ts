import type { ResponseContext, CanonicalEvent, ToolCallPart } from '../../canonical/index.ts'
import { asText, parseJsonObject, type JsonObject } from '../../json/json-object.ts'
import { expectsFunctionCall } from '../request/tools.ts'
import { writeClientCallSignature } from '../signatures.ts'

type Event<Type extends CanonicalEvent['type']> = Extract<CanonicalEvent, { type: Type }>

interface OpenCall {
  readonly index: number
  readonly isText: boolean
  /** Arguments of a text tool. Their `input` can be read only when they are complete. */
  buffered: string
  isEmpty: boolean
}

/** Writes deltas of tool calls. Calls may overlap, because each delta names its call. */
export function createCallWriter({ request, requestId }: ResponseContext) {
  const textTools = textToolNames(request)
  const isLegacy = expectsFunctionCall(request)
  const open = new Map<number, OpenCall>()
  let count = 0

  function start({ block, id, name, signature }: Event<'tool-call-start'>): JsonObject[] {
    const call: OpenCall = { index: count++, isText: textTools.has(name), buffered: '', isEmpty: true }
    open.set(block, call)
    if (isLegacy) return call.index === 0 ? [{ function_call: { name, arguments: '' } }] : []
    const called = call.isText
      ? { type: 'custom', custom: { name, input: '' } }
      : { type: 'function', function: { name, arguments: '' } }
    return [{ tool_calls: [{ index: call.index, id, ...called, ...writeClientCallSignature(signature) }] }]
  }

  function delta({ index, isText }: OpenCall, text: string): JsonObject[] {
    if (isLegacy) return index === 0 ? [{ function_call: { arguments: text } }] : []
    return [{ tool_calls: [{ index, ...(isText ? { custom: { input: text } } : { function: { arguments: text } }) }] }]
  }

  function end(block: number): JsonObject[] {
    const call = open.get(block)
    open.delete(block)
    if (!call) return []
    if (call.isText) return delta(call, readTextInput(call.buffered))
    // Clients parse the arguments, and an empty string is not JSON.
    return call.isEmpty ? delta(call, '{}') : []
  }

  return {
    start,
    continue({ block, text }: Event<'tool-call-delta'>): JsonObject[] {
      const known = open.get(block)
      const started = known ? [] : start({ type: 'tool-call-start', block, id: `call_${requestId}_${count}`, name: '' })
      const call = known ?? open.get(block)!
      if (text === '') return started
      call.isEmpty = false
      if (!call.isText) return [...started, ...delta(call, text)]
      call.buffered += text
      return started
    },
    end,
    endAll: () => [...open.keys()].flatMap(end),
    get hasCalls() {
      return count > 0
    },
    get isLegacy() {
      return isLegacy
    },
  }
}

export function textToolNames({ tools }: ResponseContext['request']): ReadonlySet<string> {
  return new Set(tools.filter(({ type }) => type === 'text').map(({ name }) => name))
}

export function writeCall({ id, name, arguments: text, signature }: ToolCallPart, isText: boolean): JsonObject {
  const called = isText
    ? { type: 'custom', custom: { name, input: readTextInput(text) } }
    : { type: 'function', function: { name, arguments: text === '' ? '{}' : text } }
  return { id, ...called, ...writeClientCallSignature(signature) }
}

/** A model may ignore the function schema and send only the text. */
function readTextInput(text: string): string {
  const object = parseJsonObject(text)
  return object && typeof object.input === 'string' ? asText(object.input) : text
}
