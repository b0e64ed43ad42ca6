import type { UsageReport } from '@tidegate/contract'
import type { ResponseContext, CanonicalResponse, Part, Signature, ThinkingPart } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { parseExactJsonObject } from '../../google-wire/exact-json.ts'
import { DIALECT_ID } from '../ids.ts'
import { writeMedia } from '../parts.ts'
import { writeEnvelope } from '../../google-wire/signature-envelope.ts'
import { SIGNS_PREVIOUS_PART } from '../signatures.ts'
import { createGroundingWriter } from './grounding.ts'
import { writeFinish } from './finish-reason.ts'
import { writeUsage } from './usage.ts'

export function encodeResponse(response: CanonicalResponse, usage: UsageReport, context: ResponseContext): JsonObject {
  const grounding = createGroundingWriter()
  const { parts, malformed } = encodeParts(response.parts, showsThoughts(context), grounding)
  return {
    candidates: [
      {
        // SDKs drop a response without parts from their history, together with its request.
        content: { role: 'model', parts: parts.length > 0 ? parts : [{ text: '' }] },
        ...encodeFinish(response.finish, malformed),
        ...grounding.write(),
        index: 0,
      },
    ],
    usageMetadata: writeUsage(usage),
    modelVersion: context.model,
    responseId: context.requestId,
  }
}

/** Finish reason of a candidate. */
export function encodeFinish(finish: CanonicalResponse['finish'], malformed: string | undefined): JsonObject {
  const { reason, raw } = finish ?? { reason: 'stop' as const }
  if (malformed === undefined) return { finishReason: writeFinish(reason, raw) }
  const wasTruncated = reason === 'length' || reason === 'refusal'
  return { finishReason: wasTruncated ? writeFinish(reason, raw) : 'MALFORMED_FUNCTION_CALL', finishMessage: malformed }
}

/** Google shows thoughts only on request. */
export function showsThoughts({ request }: Pick<ResponseContext, 'request'>): boolean {
  return request.reasoning?.visible === true
}

/** Whether another provider signed the thought. The signature then travels with the next part. */
export function isForeignSignature(signature: Signature | undefined): boolean {
  return signature !== undefined && signature.dialect !== DIALECT_ID
}

/** `thoughtSignature` of a part, as an object to spread. */
export function signatureField(thoughts: readonly ThinkingPart[], signature?: Signature): JsonObject {
  const thoughtSignature = writeEnvelope({ thoughts, signature }, DIALECT_ID)
  return thoughtSignature === undefined ? {} : { thoughtSignature }
}

/** Google has no form for a call whose arguments are not an object, for example after truncation. */
export function describeMalformedCall(name: string, text: string): string {
  return `Malformed function call: ${name} ${text}`
}

interface EncodedParts {
  readonly parts: readonly JsonObject[]
  /** Description of a call that cannot be encoded. */
  readonly malformed?: string
}

function encodeParts(
  source: readonly Part[],
  visible: boolean,
  grounding: ReturnType<typeof createGroundingWriter>,
): EncodedParts {
  const parts: JsonObject[] = []
  let unsentThoughts: ThinkingPart[] = []
  let malformed: string | undefined
  const takeSignature = (signature?: Signature) => {
    const written = signatureField(unsentThoughts, signature)
    unsentThoughts = []
    return written
  }

  function addThought(thought: ThinkingPart): void {
    const { text, signature } = thought
    if (isForeignSignature(signature)) unsentThoughts.push(thought)
    const own = signature?.dialect === DIALECT_ID ? signatureField([], signature) : {}
    const last = parts.at(-1)
    if (visible && text !== '') parts.push({ text, thought: true, ...own })
    else if (own.thoughtSignature === undefined) return
    else if (signature?.id === SIGNS_PREVIOUS_PART && last && last.thoughtSignature === undefined) {
      parts[parts.length - 1] = { ...last, ...own }
    } else parts.push({ text: '', ...own })
  }

  for (const part of source) {
    switch (part.type) {
      case 'text':
      case 'refusal':
        if (part.text === '') break
        parts.push({ text: part.text, ...takeSignature() })
        for (const citation of (part.type === 'text' && part.citations) || [])
          grounding.addCitation(citation, part.text, { partIndex: parts.length - 1 })
        break
      case 'thinking':
        addThought(part)
        break
      case 'tool-call': {
        const { id, name, signature } = part
        const args = part.arguments.trim() === '' ? {} : parseExactJsonObject(part.arguments)
        if (args) parts.push({ functionCall: { id, name, args }, ...takeSignature(signature) })
        else malformed = describeMalformedCall(name, part.arguments)
        break
      }
      case 'image':
      case 'audio':
      case 'document':
        parts.push({ ...writeMedia(part), ...takeSignature() })
        break
      case 'native':
        if (part.search) grounding.addSearch(part.search)
        else if (part.dialect === DIALECT_ID) parts.push(part.value)
        break
      case 'tool-result':
        break
    }
  }
  if (unsentThoughts.length > 0) parts.push({ text: '', ...takeSignature() })
  return { parts, ...(malformed !== undefined && { malformed }) }
}
