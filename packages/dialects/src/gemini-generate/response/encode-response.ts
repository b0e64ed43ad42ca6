import type { AnswerContext, CanonicalAnswer } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { UsageReport } from '@tidegate/contract'
import { writeFinish } from './finish-reason.ts'
import { writeUsage } from './usage.ts'
import { showsThoughts, writeParts } from './write-parts.ts'

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
