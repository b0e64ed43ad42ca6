import type { Message, Part, Signature, ThinkingPart } from '../../canonical/index.ts'
import { DialectError } from '../../dialect-error.ts'
import { asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { readCode } from '../code-blocks.ts'
import { readMedia } from '../parts.ts'
import { OWN } from '../ids.ts'
import { OF_PREVIOUS, readProof } from '../signatures.ts'
import { decodeResult } from './decode-result.ts'
import type { CallMatcher } from './match-calls.ts'

interface Place {
  /** Where to put what the part holds. */
  readonly parts: Part[]
  readonly role: Message['role']
  readonly turn: number
  readonly calls: CallMatcher
}

export function decodePart(value: unknown, place: Place): void {
  const part = typeof value === 'string' ? { text: value } : (asJsonObject(value) ?? {})
  const { parts } = place
  const proofText = place.role === 'assistant' ? asText(part.thoughtSignature ?? part.thought_signature) : ''
  const { thoughts, signature } = proofText === '' ? NO_PROOF : readProof(proofText)
  if (thoughts.length > 0) {
    // Where the client kept the thoughts it was shown, they stand before this part already, without their proof.
    while (parts.length > 0 && isUnproved(parts.at(-1)!)) parts.pop()
    parts.push(...thoughts)
  }

  if (typeof part.text === 'string') return addText(part.text, part.thought === true, signature, place)
  const call = asJsonObject(part.functionCall ?? part.function_call)
  if (call) return addCall(call, signature, place)
  const result = asJsonObject(part.functionResponse ?? part.function_response)
  if (result) {
    parts.push(decodeResult(result, place.calls))
    return
  }
  const media = readMedia(part)
  if (media) parts.push(media)
  else {
    const code = readCode(part)
    if (code !== undefined) addText(code, false, undefined, place)
    else addOther(part, place)
  }
  if (signature) parts.push({ type: 'thinking', text: '', signature: { ...signature, id: OF_PREVIOUS } })
}

const NO_PROOF = { thoughts: [], signature: undefined }
const NOT_PROVED: Signature = { dialect: OWN, value: '' }

function isUnproved(part: Part): boolean {
  return part.type === 'thinking' && part.signature?.dialect === OWN && part.signature.value === ''
}

function addText(text: string, isThought: boolean, signature: Signature | undefined, { parts, role }: Place): void {
  const last = parts.at(-1)
  if (isThought) {
    const before = last && isUnproved(last) ? (parts.pop() as ThinkingPart).text : ''
    if (before + text !== '' || signature) {
      parts.push({ type: 'thinking', text: before + text, signature: signature ?? NOT_PROVED })
    }
    return
  }
  // What a model said comes in as many pieces as it was streamed in.
  if (text !== '' && role === 'assistant' && last?.type === 'text') {
    parts[parts.length - 1] = { ...last, text: last.text + text }
  } else if (text !== '') parts.push({ type: 'text', text })
  if (signature) {
    parts.push({ type: 'thinking', text: '', signature: text === '' ? signature : { ...signature, id: OF_PREVIOUS } })
  }
}

function addCall(call: JsonObject, signature: Signature | undefined, { parts, turn, calls }: Place): void {
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

/** Tools that Google runs by itself are its own words; a part nobody knows must not get lost unnoticed. */
function addOther(part: JsonObject, { parts }: Place): void {
  if (HOSTED.some((name) => part[name] !== undefined)) parts.push({ type: 'native', dialect: OWN, value: part })
  else {
    const names = Object.keys(part).filter((name) => !ABOUT_THE_PART.has(name))
    if (names.length > 0) throw new DialectError('cannot_express', `a part with ${names.join(', ')}`)
  }
}

const HOSTED = ['toolCall', 'tool_call', 'toolResponse', 'tool_response']
const ABOUT_THE_PART = new Set(['thought', 'thoughtSignature', 'thought_signature', 'partMetadata', 'part_metadata'])
