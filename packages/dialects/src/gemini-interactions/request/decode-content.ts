import { DialectError } from '../../canonical/errors.ts'
import type { Message, Part, Signature, TextPart, ToolResultPart } from '../../canonical/index.ts'
import { asJsonObject, asJsonObjects, asText, type JsonObject } from '../../json/json-object.ts'
import { DIALECT_ID, isForeignSearchId } from '../ids.ts'
import { readMedia } from '../media.ts'
import { decodeThought } from '../signatures.ts'
import { isHostedStep, readInputSteps } from '../steps.ts'

/**
 * Decodes the conversation in `input`. Thoughts, outputs and calls are separate steps in this protocol. Consecutive
 * steps of the model become one assistant message, and so do consecutive function results.
 */
export function decodeInput(input: unknown): Message[] {
  const names = new Map<string, string>()
  const signatures = new Map<string, Signature>()
  const turns = createMessageBuilder()
  if (Array.isArray(input) && !input.every(asJsonObject)) {
    throw new DialectError('invalid_request', 'every item of input must be an object')
  }
  for (const step of readInputSteps(input)) {
    const type = asText(step.type)
    switch (type) {
      case 'user_input':
        turns.add('user', 'content', decodeContents(step))
        break
      case 'model_output':
        turns.add('assistant', 'content', decodeContents(step))
        break
      case 'thought': {
        const thought = decodeThought(step)
        if (thought.kind === 'call') signatures.set(thought.callId, thought.signature)
        else if (!isEmpty(thought.part)) turns.add('assistant', 'content', [thought.part])
        break
      }
      case 'function_call': {
        const call = decodeCall(step, signatures)
        names.set(call.id, call.name)
        turns.add('assistant', 'content', [call])
        break
      }
      case 'function_result':
        turns.add('user', 'results', [decodeResult(step, names)])
        break
      default:
        turns.add('assistant', 'content', decodeHosted(type, step))
    }
  }
  return turns.messages
}

function isEmpty({ text, signature }: Extract<Part, { type: 'thinking' }>): boolean {
  return text === '' && signature?.value === ''
}

function decodeContents({ content = [] }: JsonObject): Part[] {
  if (typeof content === 'string') return decodeContent({ type: 'text', text: content })
  if (!Array.isArray(content)) throw new DialectError('invalid_request', 'the content of a step must be an array')
  return content.flatMap((item) => decodeContent(asJsonObject(item) ?? {}))
}

function decodeContent(content: JsonObject): Part[] {
  const type = asText(content.type)
  switch (type) {
    case 'text': {
      const { text } = content
      if (typeof text !== 'string') throw new DialectError('invalid_request', 'the text of a content must be a string')
      return text === '' ? [] : [{ type: 'text', text }]
    }
    case 'image':
    case 'audio':
    case 'document':
    case 'video':
      return [readMedia(content)]
    default:
      throw new DialectError('cannot_express', `a content of type "${type}"`)
  }
}

function decodeCall(step: JsonObject, signatures: ReadonlyMap<string, Signature>) {
  const id = asText(step.id)
  const name = asText(step.name)
  if (id === '' || name === '') throw new DialectError('invalid_request', 'a function_call needs an id and a name')
  const signature = signatures.get(id)
  return {
    type: 'tool-call' as const,
    id,
    name,
    arguments: typeof step.arguments === 'string' ? step.arguments : JSON.stringify(step.arguments ?? {}),
    ...(signature && { signature }),
  }
}

function decodeResult(step: JsonObject, names: ReadonlyMap<string, string>): ToolResultPart {
  const callId = asText(step.call_id)
  if (callId === '') throw new DialectError('invalid_request', 'a function_result needs a call_id')
  const name = names.get(callId) ?? asText(step.name)
  return {
    type: 'tool-result',
    callId,
    ...(name !== '' && { name }),
    content: decodeResultContent(step.result),
    ...(step.is_error === true && { isError: true }),
  }
}

function decodeResultContent(result: unknown): ToolResultPart['content'] {
  if (typeof result === 'string') return [{ type: 'text', text: result }]
  const isContents = Array.isArray(result) && asJsonObjects(result).every(({ type }) => typeof type === 'string')
  if (!isContents) return [textOf(JSON.stringify(result ?? {}))]
  return asJsonObjects(result)
    .flatMap(decodeContent)
    .map((part) => {
      if (part.type === 'audio') return { type: 'document', source: part.source }
      return part as Exclude<ToolResultPart['content'][number], never>
    })
}

function textOf(text: string): TextPart {
  return { type: 'text', text }
}

/** An unknown step is an error, so that no content is lost. */
function decodeHosted(type: string, step: JsonObject): Part[] {
  if (!isHostedStep(type)) throw new DialectError('cannot_express', `a step of type "${type}"`)
  // We wrote it for the search of another provider.
  if (isForeignSearchId(asText(step.id) || asText(step.call_id))) return []
  return [{ type: 'native', dialect: DIALECT_ID, value: step }]
}

/** Collects parts into messages. Steps of the model and consecutive results are joined. */
function createMessageBuilder() {
  const messages: { role: Message['role']; parts: Part[] }[] = []
  let lastKind = ''
  return {
    messages,
    add(role: Message['role'], kind: 'content' | 'results', parts: readonly Part[]): void {
      if (parts.length === 0) return
      const last = messages.at(-1)
      const joins = last?.role === role && (role === 'assistant' || (kind === 'results' && lastKind === 'results'))
      if (joins) last.parts.push(...parts)
      else messages.push({ role, parts: [...parts] })
      lastKind = kind
    },
  }
}
