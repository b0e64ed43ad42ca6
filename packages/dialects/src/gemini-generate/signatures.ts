import { readSignature, type Signature, type ThinkingPart, writeSignature } from '../canonical/index.ts'
import type { JsonObject } from '../json/json-object.ts'
import { DIALECT_ID } from './ids.ts'
import { isThirdGeneration } from './model-names.ts'

/** What a client keeps for us on one part: the thoughts that led to it, and the part's own signature. */
interface SignatureEnvelope {
  readonly thoughts: readonly ThinkingPart[]
  readonly signature?: Signature
}

/**
 * Google signs any part, and elsewhere only thoughts and calls have a place for a signature. Those of other parts become
 * empty thoughts after the part, with this for what they sign.
 */
export const SIGNS_PREVIOUS_PART = 'previous'

/** Says of a signature that it proves a thought before the part, whose words travel with it. */
const SIGNS_THOUGHT = 'thought'
/** What `tg1.`, the mark of a wrapped signature, comes to in base64. */
const WRAPPED_PREFIX = 'dGcxL'

const { btoa, atob } = globalThis as unknown as { btoa(text: string): string; atob(text: string): string }

/**
 * The `thoughtSignature` of a part. Google's own goes as it came. Others' are wrapped, and the words of the thought go
 * along, because clients of this dialect are told to hand signatures back but may leave thoughts out, and other vendors
 * want both. The field holds bytes, so the text must be base64; some SDKs write it back in the URL-safe alphabet, which
 * is the same here as nothing in it needs the two differing letters.
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

/** Whether a signature holds something of ours, which means nothing to Google. */
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

/** `undefined` when a client changed what it kept. */
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
 * Google's documented stand-in for calls that its models did not make: other vendors' turns, or turns written by hand.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const SKIP_VALIDATION = 'skip_thought_signature_validator'

export interface Content {
  readonly role: 'user' | 'model'
  parts: JsonObject[]
}

/**
 * The third generation refuses a step whose first call is not signed; older models do not know the stand-in. Calls made
 * side by side share the signature of the first.
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
