import type { UsageReport } from '@tidegate/contract'
import type { AnswerContext, CanonicalAnswer, Part, Signature, ThinkingPart } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { parseExactJsonObject } from '../exact-json.ts'
import { OWN } from '../ids.ts'
import { writeMedia } from '../parts.ts'
import { OF_PREVIOUS, writeProof } from '../signatures.ts'
import { writeFinish } from './finish-reason.ts'
import { writeUsage } from './usage.ts'

/** A whole answer for a client of this dialect. */
export function encodeAnswer(answer: CanonicalAnswer, usage: UsageReport, context: AnswerContext): JsonObject {
  const { parts, malformed } = writeParts(answer.parts, showsThoughts(context))
  return {
    candidates: [
      {
        // SDKs throw an answer without parts out of their history, and the question with it.
        content: { role: 'model', parts: parts.length > 0 ? parts : [{ text: '' }] },
        ...ending(answer.finish, malformed),
        index: 0,
      },
    ],
    usageMetadata: writeUsage(usage),
    modelVersion: context.model,
    responseId: context.requestId,
  }
}

/** How an answer ended, for its candidate. */
export function ending(finish: CanonicalAnswer['finish'], malformed: string | undefined): JsonObject {
  const { reason, raw } = finish ?? { reason: 'stop' as const }
  if (malformed === undefined) return { finishReason: writeFinish(reason, raw) }
  const wasCut = reason === 'length' || reason === 'refusal'
  return { finishReason: wasCut ? writeFinish(reason, raw) : 'MALFORMED_FUNCTION_CALL', finishMessage: malformed }
}

/** Google shows thoughts only to those who ask for them. */
export function showsThoughts({ request }: Pick<AnswerContext, 'request'>): boolean {
  return request.reasoning?.visible === true
}

/** Whether another vendor wants a thought handed back. It is then kept on the part that follows it. */
export function isKept(signature: Signature | undefined): boolean {
  return signature !== undefined && signature.dialect !== OWN
}

/** The `thoughtSignature` for a part, as a member to spread. */
export function signed(thoughts: readonly ThinkingPart[], signature?: Signature): JsonObject {
  const thoughtSignature = writeProof({ thoughts, signature })
  return thoughtSignature === undefined ? {} : { thoughtSignature }
}

/** A call whose arguments are no object, as when the model was cut off in the middle: Google has no place for it. */
export function malformedCall(name: string, text: string): string {
  return `Malformed function call: ${name} ${text}`
}

interface WrittenParts {
  readonly parts: readonly JsonObject[]
  /** What could not be said as a part. */
  readonly malformed?: string
}

/** The parts of a whole answer. */
function writeParts(answered: readonly Part[], visible: boolean): WrittenParts {
  const parts: JsonObject[] = []
  let kept: ThinkingPart[] = []
  let malformed: string | undefined
  const proof = (signature?: Signature) => {
    const written = signed(kept, signature)
    kept = []
    return written
  }

  function addThought(thought: ThinkingPart): void {
    const { text, signature } = thought
    if (isKept(signature)) kept.push(thought)
    const own = signature?.dialect === OWN ? signed([], signature) : {}
    const last = parts.at(-1)
    if (visible && text !== '') parts.push({ text, thought: true, ...own })
    else if (own.thoughtSignature === undefined) return
    else if (signature?.id === OF_PREVIOUS && last && last.thoughtSignature === undefined) {
      parts[parts.length - 1] = { ...last, ...own }
    } else parts.push({ text: '', ...own })
  }

  for (const part of answered) {
    switch (part.type) {
      case 'text':
      case 'refusal':
        if (part.text !== '') parts.push({ text: part.text, ...proof() })
        break
      case 'thinking':
        addThought(part)
        break
      case 'tool-call': {
        const { id, name, signature } = part
        const args = part.arguments.trim() === '' ? {} : parseExactJsonObject(part.arguments)
        if (args) parts.push({ functionCall: { id, name, args }, ...proof(signature) })
        else malformed = malformedCall(name, part.arguments)
        break
      }
      case 'image':
      case 'audio':
      case 'document':
        parts.push({ ...writeMedia(part), ...proof() })
        break
      case 'native':
        if (part.dialect === OWN) parts.push(part.value)
        break
      case 'tool-result':
        break
    }
  }
  if (kept.length > 0) parts.push({ text: '', ...proof() })
  return { parts, ...(malformed !== undefined && { malformed }) }
}
