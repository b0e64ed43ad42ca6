import { type DialectId, readSignature, type Signature, type ThinkingPart, writeSignature } from '../canonical/index.ts'

/** Content of one signature field: the thoughts before a part and the part's own signature. */
interface SignatureEnvelope {
  readonly thoughts: readonly ThinkingPart[]
  readonly signature?: Signature
}

/** Signature id for a thought before the part. The wrapped value includes the text of the thought. */
const SIGNS_THOUGHT = 'thought'
/** `tg1.`, the prefix of a wrapped signature, in base64. */
const WRAPPED_PREFIX = 'dGcxL'

const { btoa, atob } = globalThis as unknown as { btoa(text: string): string; atob(text: string): string }

/**
 * Writes the signature field of a part or a step. A signature of the protocol itself stays unchanged. Others are wrapped
 * together with the thought, because clients of Google's protocols send signatures back but may drop thoughts. The
 * field holds bytes, so the text must be base64. Some SDKs convert it to base64url, which is identical here, because
 * the text needs none of the differing characters.
 */
export function writeEnvelope({ thoughts, signature }: SignatureEnvelope, own: DialectId): string | undefined {
  if (thoughts.length === 0) {
    if (!signature) return undefined
    if (signature.dialect === own) return signature.value || undefined
  }
  const tokens = thoughts.map((thought) => wrapThought(thought, own))
  if (signature) tokens.push(writeSignature(signature, own))
  const text = tokens.join(' ')
  return btoa(text.padEnd(Math.ceil(text.length / 3) * 3))
}

export function readEnvelope(text: string, own: DialectId): SignatureEnvelope {
  if (!isWrapped(text)) return { thoughts: [], signature: { dialect: own, value: text } }
  const thoughts: ThinkingPart[] = []
  let signature: Signature | undefined
  for (const token of decodeBase64(text).trim().split(' ')) {
    const read = readSignature(token, own)
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

function wrapThought({ text, signature, redacted }: ThinkingPart, own: DialectId): string {
  const { dialect, value, id } = signature!
  return writeSignature(
    { dialect, value: JSON.stringify([value, id ?? null, text, redacted === true]), id: SIGNS_THOUGHT },
    own,
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
