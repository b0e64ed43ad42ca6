import { readSignature, type Signature, type ThinkingPart, writeSignature } from '../canonical/index.ts'
import type { JsonObject } from '../json/json-object.ts'
import { DIALECT_ID } from './ids.ts'
import { isThirdGeneration } from './model-names.ts'

/** Content of the `thoughtSignature` of one part: the thoughts before it and the part's own signature. */
interface SignatureEnvelope {
  readonly thoughts: readonly ThinkingPart[]
  readonly signature?: Signature
}

/**
 * Signature id for parts other than thoughts and calls. Other protocols have no field for such signatures, so they
 * become empty thoughts after the part.
 */
export const SIGNS_PREVIOUS_PART = 'previous'

/** Signature id for a thought before the part. The wrapped value includes the text of the thought. */
const SIGNS_THOUGHT = 'thought'
/** `tg1.`, the prefix of a wrapped signature, in base64. */
const WRAPPED_PREFIX = 'dGcxL'

const { btoa, atob } = globalThis as unknown as { btoa(text: string): string; atob(text: string): string }

/**
 * Writes the `thoughtSignature` of a part. Google's own signature stays unchanged. Signatures of other providers are
 * wrapped together with the thought, because clients of this protocol send signatures back but may drop thoughts. The
 * field holds bytes, so the text must be base64. Some SDKs convert it to base64url, which is identical here, because
 * the text needs none of the differing characters.
 */
export function writeEnvelope({ thoughts, signature }: SignatureEnvelope): string | undefined {
  if (thoughts.length === 0) {
    if (!signature) return undefined
    if (signature.dialect === DIALECT_ID) return signature.value || undefined
  }
  const tokens = thoughts.map(wrapThought)
  if (signature) tokens.push(writeSignature(signature, DIALECT_ID))
  const text = tokens.join(' ')
  return btoa(text.padEnd(Math.ceil(text.length / 3) * 3))
}

export function readEnvelope(text: string): SignatureEnvelope {
  if (!isWrapped(text)) return { thoughts: [], signature: { dialect: DIALECT_ID, value: text } }
  const thoughts: ThinkingPart[] = []
  let signature: Signature | undefined
  for (const token of decodeBase64(text).trim().split(' ')) {
    const read = readSignature(token, DIALECT_ID)
    const thought = read.id === SIGNS_THOUGHT ? unwrapThought(read) : undefined
    if (thought) thoughts.push(thought)
    else signature = read
  }
  return { thoughts, ...(signature && { signature }) }
}

/** Whether a signature was wrapped by the gateway. */
export function isWrapped(text: string): boolean {
  return text.startsWith(WRAPPED_PREFIX)
}

function wrapThought({ text, signature, redacted }: ThinkingPart): string {
  const { dialect, value, id } = signature!
  return writeSignature(
    { dialect, value: JSON.stringify([value, id ?? null, text, redacted === true]), id: SIGNS_THOUGHT },
    DIALECT_ID,
  )
}

/** `undefined` if a client changed the value. */
function unwrapThought({ dialect, value: json }: Signature): ThinkingPart | undefined {
  try {
    const [value, id, text, redacted] = JSON.parse(json) as unknown[]
    if (typeof value !== 'string' || typeof text !== 'string') return undefined
    return {
      type: 'thinking',
      text,
      signature: { dialect, value, ...(typeof id === 'string' && { id }) },
      ...(redacted === true && { redacted }),
    }
  } catch {
    return undefined
  }
}

function decodeBase64(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}

/**
 * Google's documented value for calls that its models did not make.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const SKIP_VALIDATION = 'skip_thought_signature_validator'

export interface Content {
  readonly role: 'user' | 'model'
  parts: JsonObject[]
}

/**
 * The third generation rejects a step whose first call is not signed. Older models do not know the placeholder.
 * Parallel calls share the signature of the first.
 */
export function signCalls(contents: readonly Content[], model: string): void {
  if (!isThirdGeneration(model)) return
  for (const content of contents) {
    if (content.role !== 'model') continue
    const first = content.parts.findIndex(isCall)
    if (first === -1 || content.parts.some((part) => isCall(part) && part.thoughtSignature !== undefined)) continue
    content.parts[first] = { ...content.parts[first], thoughtSignature: SKIP_VALIDATION }
  }
}

function isCall(part: JsonObject): boolean {
  return part.functionCall !== undefined
}
