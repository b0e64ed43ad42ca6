import type {
  DocumentPart,
  ImagePart,
  Message,
  Part,
  Signature,
  TextPart,
  ThinkingPart,
  ToolResultPart,
} from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { type CallMatcher, createCallMatcher, DIALECT_ID } from '../ids.ts'
import { readCode, readMedia } from '../parts.ts'
import { readEnvelope } from '../../google-wire/signature-envelope.ts'
import { SIGNS_PREVIOUS_PART } from '../signatures.ts'
import { readParts } from './read-request.ts'

const ROLES: Readonly<Record<string, Message['role']>> = {
  user: 'user',
  model: 'assistant',
  function: 'user',
  tool: 'user',
  system: 'system',
}

interface MessageDraft {
  readonly role: Message['role']
  readonly parts: Part[]
}

/**
 * Decodes the turns of a conversation. SDKs keep a streamed response as one content per chunk, so consecutive model
 * contents become one message. Results of several calls also become one message.
 */
export function decodeContents(contents: readonly unknown[]): Message[] {
  const messages: MessageDraft[] = []
  const calls = createCallMatcher()
  for (const content of contents) {
    const role = roleOf(content)
    let message = messages.at(-1)
    if (!message || message.role !== role || !continuesMessage(message, content)) {
      message = { role, parts: [] }
      messages.push(message)
    }
    for (const part of readParts(content)) {
      decodePart(part, { parts: message.parts, role, turn: messages.length - 1, calls })
    }
  }
  return messages.filter(({ parts }) => parts.length > 0)
}

function roleOf(content: unknown): Message['role'] {
  const name = asJsonObject(content)?.role ?? 'user'
  const role = typeof name === 'string' && Object.hasOwn(ROLES, name) ? ROLES[name] : undefined
  if (!role) throw new DialectError('invalid_request', 'the role of a content must be user or model')
  return role
}

function continuesMessage({ role, parts }: MessageDraft, content: unknown): boolean {
  if (role !== 'user') return true
  return parts.some(({ type }) => type === 'tool-result') && readParts(content).some(isFunctionResponse)
}

function isFunctionResponse(part: unknown): boolean {
  const object = asJsonObject(part)
  return (object?.functionResponse ?? object?.function_response) !== undefined
}

interface PartContext {
  /** Receives the decoded parts. */
  readonly parts: Part[]
  readonly role: Message['role']
  readonly turn: number
  readonly calls: CallMatcher
}

function decodePart(value: unknown, context: PartContext): void {
  const part = typeof value === 'string' ? { text: value } : (asJsonObject(value) ?? {})
  const { parts } = context
  const signatureText = context.role === 'assistant' ? asText(part.thoughtSignature ?? part.thought_signature) : ''
  const { thoughts, signature } = signatureText === '' ? NO_ENVELOPE : readEnvelope(signatureText, DIALECT_ID)
  if (thoughts.length > 0) {
    // The client sent the visible thoughts back without their signature. The signed ones replace them.
    while (parts.length > 0 && isUnsignedThought(parts.at(-1)!)) parts.pop()
    parts.push(...thoughts)
  }

  if (typeof part.text === 'string') return addText(part.text, part.thought === true, signature, context)
  const call = asJsonObject(part.functionCall ?? part.function_call)
  if (call) return addCall(call, signature, context)
  const result = asJsonObject(part.functionResponse ?? part.function_response)
  if (result) {
    parts.push(decodeFunctionResponse(result, context.calls))
    return
  }
  const media = readMedia(part)
  if (media) parts.push(media)
  else {
    const code = readCode(part)
    if (code !== undefined) addText(code, false, undefined, context)
    else addUnknownPart(part, context)
  }
  if (signature) parts.push({ type: 'thinking', text: '', signature: { ...signature, id: SIGNS_PREVIOUS_PART } })
}

const NO_ENVELOPE = { thoughts: [], signature: undefined }
const EMPTY_SIGNATURE: Signature = { dialect: DIALECT_ID, value: '' }

function isUnsignedThought(part: Part): boolean {
  return part.type === 'thinking' && part.signature?.dialect === DIALECT_ID && part.signature.value === ''
}

function addText(
  text: string,
  isThought: boolean,
  signature: Signature | undefined,
  { parts, role }: PartContext,
): void {
  const last = parts.at(-1)
  if (isThought) {
    const before = last && isUnsignedThought(last) ? (parts.pop() as ThinkingPart).text : ''
    if (before + text !== '' || signature) {
      parts.push({ type: 'thinking', text: before + text, signature: signature ?? EMPTY_SIGNATURE })
    }
    return
  }
  // Text of a streamed response arrives in many parts.
  if (text !== '' && role === 'assistant' && last?.type === 'text') {
    parts[parts.length - 1] = { ...last, text: last.text + text }
  } else if (text !== '') parts.push({ type: 'text', text })
  if (signature) {
    parts.push({
      type: 'thinking',
      text: '',
      signature: text === '' ? signature : { ...signature, id: SIGNS_PREVIOUS_PART },
    })
  }
}

function addCall(call: JsonObject, signature: Signature | undefined, { parts, turn, calls }: PartContext): void {
  const name = asText(call.name)
  if (name === '') throw new DialectError('invalid_request', 'a functionCall must have a name')
  parts.push({
    type: 'tool-call',
    id: calls.add({ id: asText(call.id), name, turn }),
    name,
    arguments: JSON.stringify(call.args ?? {}),
    ...(signature && { signature }),
  })
}

/** Parts of Google's hosted tools are native. An unknown part is an error, so that no content is lost. */
function addUnknownPart(part: JsonObject, { parts }: PartContext): void {
  if (HOSTED_TOOL_FIELDS.some((name) => part[name] !== undefined))
    parts.push({ type: 'native', dialect: DIALECT_ID, value: part })
  else {
    const names = Object.keys(part).filter((name) => !METADATA_FIELDS.has(name))
    if (names.length > 0) throw new DialectError('cannot_express', `a part with ${names.join(', ')}`)
  }
}

const HOSTED_TOOL_FIELDS = ['toolCall', 'tool_call', 'toolResponse', 'tool_response']
const METADATA_FIELDS = new Set(['thought', 'thoughtSignature', 'thought_signature', 'partMetadata', 'part_metadata'])

function decodeFunctionResponse(result: JsonObject, calls: CallMatcher): ToolResultPart {
  const name = asText(result.name)
  const callId = calls.matchResult({ id: asText(result.id), name })
  const { text, isError } = readResponseText(asJsonObject(result.response) ?? {})
  const media = asList(result.parts).map((part) => decodeResultMedia(asJsonObject(part) ?? {}))
  const hasText = text !== '{}' || media.length === 0
  return {
    type: 'tool-result',
    callId,
    ...(name && { name }),
    content: [...(hasText ? [{ type: 'text', text } as const] : []), ...media],
    ...(isError && { isError }),
  }
}

/**
 * Google defines `output` and `error`, and reads anything else as a whole. Clients also write `result`, as in Google's
 * examples.
 */
function readResponseText(response: JsonObject): { text: string; isError: boolean } {
  const names = Object.keys(response)
  const [only] = names
  if (names.length !== 1 || only === undefined) return { text: JSON.stringify(response), isError: false }
  if (only !== 'result' && only !== 'output' && only !== 'error') {
    return { text: JSON.stringify(response), isError: false }
  }
  const value = response[only]
  return { text: typeof value === 'string' ? value : JSON.stringify(value), isError: only === 'error' }
}

function decodeResultMedia(part: JsonObject): TextPart | ImagePart | DocumentPart {
  const media = readMedia(part)
  if (!media)
    throw new DialectError('invalid_request', 'the parts of a functionResponse must be inlineData or fileData')
  return media.type === 'audio' ? { type: 'document', source: media.source } : media
}
