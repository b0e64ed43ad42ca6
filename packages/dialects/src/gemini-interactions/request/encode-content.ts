import { DialectError } from '../../canonical/errors.ts'
import type { CanonicalRequest, Message, Part, ToolResultPart } from '../../canonical/index.ts'
import { argumentsObject } from '../../google-wire/exact-json.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { DIALECT_ID } from '../ids.ts'
import { writeMedia } from '../media.ts'

interface EncodedInput {
  readonly input: readonly JsonObject[]
  readonly system: string
}

/** Encodes the conversation as steps. The leading system messages become the system instruction. */
export function encodeInput({ messages }: Pick<CanonicalRequest, 'messages'>): EncodedInput {
  const found = messages.findIndex(({ role }) => role !== 'system')
  const leading = found === -1 ? messages.length : found
  const system = messages.slice(0, leading).flatMap(systemTexts).join('\n\n')
  const names = new Map<string, string>()
  const input = messages.slice(leading).flatMap((message) => encodeMessage(message, names))
  if (input.length > 0) return { input, system }
  // The input must not be empty, so a lone system prompt becomes one.
  if (system !== '') return { input: [userInput([{ type: 'text', text: system }])], system: '' }
  throw new DialectError('cannot_express', 'a conversation without content')
}

function systemTexts({ parts }: Message): string[] {
  return parts.flatMap((part) => {
    if (part.type !== 'text') throw new DialectError('cannot_express', `instructions with a part of type ${part.type}`)
    return part.text === '' ? [] : [part.text]
  })
}

function userInput(content: readonly JsonObject[]): JsonObject {
  return { type: 'user_input', content }
}

function encodeMessage({ role, parts }: Message, names: Map<string, string>): JsonObject[] {
  const steps: JsonObject[] = []
  let content: JsonObject[] = []
  const type = role === 'assistant' ? 'model_output' : 'user_input'
  const flush = () => {
    if (content.length > 0) steps.push({ type, content })
    content = []
  }
  for (const part of parts) {
    const contents = encodeContent(part)
    if (contents) {
      content.push(...contents)
      continue
    }
    flush()
    const step = encodeStep(part, names)
    if (step) steps.push(step)
  }
  flush()
  return steps
}

/** Undefined for a part that is a step of its own. */
function encodeContent(part: Part): JsonObject[] | undefined {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'image':
    case 'audio':
    case 'document':
      return writeMedia(part)
    default:
      return undefined
  }
}

function encodeStep(part: Part, names: Map<string, string>): JsonObject | undefined {
  switch (part.type) {
    case 'thinking': {
      // Google accepts only its own thoughts.
      const { signature, text } = part
      if (signature?.dialect !== DIALECT_ID || (text === '' && signature.value === '')) return undefined
      return {
        type: 'thought',
        ...(signature.value !== '' && { signature: signature.value }),
        ...(text !== '' && { summary: [{ type: 'text', text }] }),
      }
    }
    case 'tool-call':
      names.set(part.id, part.name)
      return { type: 'function_call', id: part.id, name: part.name, arguments: argumentsObject(part.arguments) }
    case 'tool-result':
      return encodeResult(part, names)
    case 'native':
      return part.dialect === DIALECT_ID ? part.value : undefined
    default:
      return undefined
  }
}

function encodeResult(part: ToolResultPart, names: ReadonlyMap<string, string>): JsonObject {
  const name = part.name ?? names.get(part.callId)
  const isText = part.content.every(({ type }) => type === 'text')
  const contents = part.content.flatMap((item) => encodeContent(item) ?? [])
  const unsupported = contents.find(({ type }) => type !== 'text' && type !== 'image')
  if (unsupported) throw new DialectError('cannot_express', `a tool result with a ${String(unsupported.type)}`)
  return {
    type: 'function_result',
    call_id: part.callId,
    ...(name !== undefined && { name }),
    ...(part.isError && { is_error: true }),
    result: isText ? contents.map(({ text }) => text).join('\n') : contents,
  }
}
