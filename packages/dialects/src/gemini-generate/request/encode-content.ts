import type { CanonicalRequest, Message, Part, ToolResultPart } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { argumentsObject, parseExactJsonObject } from '../../google-wire/exact-json.ts'
import { DIALECT_ID } from '../ids.ts'
import { generationOf } from '../model-names.ts'
import { documentText } from '../../google-wire/media.ts'
import { type MediaPart, writeMedia } from '../parts.ts'
import { type Content, SIGNS_PREVIOUS_PART, signCalls } from '../signatures.ts'

/** Google accepts more. This is a limit of the gateway, which rejects the request instead of dropping images. */
const MAX_IMAGES = 16

interface EncodedContents {
  readonly contents: readonly Content[]
  /** Parts of the system instruction. */
  readonly system: readonly JsonObject[]
}

/** Merges consecutive messages of one role, because Google requires alternating roles. */
export function encodeContents({ messages, model }: Pick<CanonicalRequest, 'messages' | 'model'>): EncodedContents {
  const leading = messages.findIndex(({ role }) => role !== 'system')
  const system = messages.slice(0, leading === -1 ? undefined : leading).flatMap(encodeSystem)
  const contents: Content[] = []
  const names = new Map<string, string>()
  for (const message of leading === -1 ? [] : messages.slice(leading)) {
    rejectTooManyImages(message)
    const role = message.role === 'assistant' ? 'model' : 'user'
    let content = contents.at(-1)
    if (content?.role !== role) {
      content = { role, parts: [] }
      contents.push(content)
    }
    for (const part of message.parts) addPart(part, content.parts, { names, model })
  }
  const nonEmpty = contents.filter(({ parts }) => parts.length > 0)
  for (const content of nonEmpty) if (content.role === 'user') content.parts = moveResultsFirst(content.parts)
  signCalls(nonEmpty, model)
  if (nonEmpty.length > 0) return { contents: nonEmpty, system }
  // Google requires a user content, so a lone system prompt becomes one.
  if (system.length > 0) return { contents: [{ role: 'user', parts: system }], system: [] }
  throw new DialectError('cannot_express', 'a conversation without content')
}

function encodeSystem({ parts }: Message): JsonObject[] {
  return parts.flatMap((part) => {
    if (part.type !== 'text') throw new DialectError('cannot_express', `instructions with a part of type ${part.type}`)
    return part.text === '' ? [] : [{ text: part.text }]
  })
}

interface EncodeContext {
  /** Tool names by call id. */
  readonly names: Map<string, string>
  readonly model: string
}

function addPart(part: Part, parts: JsonObject[], context: EncodeContext): void {
  switch (part.type) {
    case 'text':
    case 'refusal':
      // Vertex rejects empty text.
      if (part.text !== '') parts.push({ text: part.text })
      return
    case 'image':
    case 'audio':
    case 'document':
      // Google has no field for the title of a file.
      if (filenameOf(part) !== undefined && part.source.kind !== 'text') parts.push({ text: filenameOf(part) })
      parts.push(writeMedia(part))
      return
    case 'thinking':
      addThought(part, parts)
      return
    case 'tool-call': {
      const { id, name, signature } = part
      context.names.set(id, name)
      const signed = signature?.dialect === DIALECT_ID &&
        signature.value !== '' && { thoughtSignature: signature.value }
      parts.push({ functionCall: { id, name, args: argumentsObject(part.arguments) }, ...signed })
      return
    }
    case 'tool-result':
      parts.push(...encodeFunctionResponse(part, context))
      return
    case 'native':
      if (part.dialect === DIALECT_ID) parts.push(part.value)
  }
}

/** Google accepts only its own thoughts. */
function addThought({ text, signature }: Extract<Part, { type: 'thinking' }>, parts: JsonObject[]): void {
  if (signature?.dialect !== DIALECT_ID) return
  const signed = signature.value !== '' && { thoughtSignature: signature.value }
  if (text !== '') {
    parts.push({ text, thought: true, ...signed })
    return
  }
  if (!signed) return
  const last = parts.at(-1)
  if (signature.id === SIGNS_PREVIOUS_PART && last && last.thoughtSignature === undefined) {
    parts[parts.length - 1] = { ...last, ...signed }
  } else parts.push({ text: '', ...signed })
}

/** Google requires tool results before any other part. */
function moveResultsFirst(parts: JsonObject[]): JsonObject[] {
  const isResult = (part: JsonObject) => part.functionResponse !== undefined
  return parts.some(isResult) ? [...parts.filter(isResult), ...parts.filter((part) => !isResult(part))] : parts
}

function rejectTooManyImages({ parts }: Message): void {
  const images = parts
    .flatMap((part): readonly Part[] => (part.type === 'tool-result' ? part.content : [part]))
    .filter(({ type }) => type === 'image')
  if (images.length > MAX_IMAGES) {
    throw new DialectError('cannot_express', `a message with ${images.length} images; ${MAX_IMAGES} are allowed`)
  }
}

/** Encodes a tool result. Media that older models reject inside a result follows it. */
function encodeFunctionResponse(part: ToolResultPart, { names, model }: EncodeContext): JsonObject[] {
  const name = part.name ?? names.get(part.callId)
  if (!name) throw new DialectError('invalid_request', `the tool result ${part.callId} does not match a tool call`)
  const texts: string[] = []
  const inside: JsonObject[] = []
  const beside: JsonObject[] = []
  const takesMedia = (generationOf(model) ?? 3) >= 3
  for (const item of part.content) {
    if (item.type === 'text') texts.push(item.text)
    else if (item.source.kind === 'text') texts.push(documentText(item.source.text, filenameOf(item)))
    else {
      const filename = filenameOf(item)
      if (filename !== undefined) texts.push(filename)
      const written = writeMedia(item satisfies MediaPart)
      // Results accept only inline data. Files by URI follow the result.
      if (takesMedia && written.inlineData !== undefined) inside.push(written)
      else beside.push(written)
    }
  }
  const response = encodeResponseBody(texts.join('\n'), part.isError === true)
  return [
    { functionResponse: { id: part.callId, name, response, ...(inside.length > 0 && { parts: inside }) } },
    ...beside,
  ]
}

function filenameOf(part: Part): string | undefined {
  return part.type === 'document' ? part.filename : undefined
}

/** Google requires an object: the tool's own, or a wrapper around its text. */
function encodeResponseBody(text: string, isError: boolean): JsonObject {
  if (isError) return { error: text }
  return parseExactJsonObject(text) ?? { result: text }
}
