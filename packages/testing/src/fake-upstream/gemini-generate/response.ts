import { answerParts, type AnswerPart } from './answer-parts.ts'
import type { Answer, UsagePlacement, Vendor } from '../types.ts'

/** The answer as one object. */
export function geminiResponse(answer: Answer, vendor: Vendor, placement: UsagePlacement = 'asked') {
  return {
    ...candidateOf(answer, answerParts(answer, vendor), true),
    ...(placement !== 'missing' && { usageMetadata: usageOf(answer) }),
  }
}

/** One response of a stream, or the only one. */
export function candidateOf(answer: Answer, parts: readonly AnswerPart[], isLast: boolean) {
  const { sequence, asked, finish, finishReason } = answer
  const content = parts.length === 0 ? { role: 'model' } : { role: 'model', parts }
  return {
    candidates: [{ content, ...(isLast && { finishReason: finishReason ?? WORDS[finish] }), index: 0 }],
    modelVersion: asked.model,
    responseId: `gemini-fake-${sequence}`,
  }
}

/** The thoughts stand beside the candidates, not among them. */
export function usageOf({ counts }: Answer) {
  const { input, cacheRead, output, reasoning } = counts
  return {
    promptTokenCount: input,
    ...(cacheRead > 0 && { cachedContentTokenCount: cacheRead }),
    candidatesTokenCount: output - reasoning,
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
    totalTokenCount: input + output,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
  }
}

const WORDS: Record<Answer['finish'], string> = {
  stop: 'STOP',
  'stop-sequence': 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  refusal: 'SAFETY',
}
