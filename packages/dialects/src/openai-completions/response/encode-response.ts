import type { UsageReport } from '@tidegate/contract'
import type { AnswerContext, CanonicalAnswer, FinishReason, Part } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { writeUsage } from '../../openai-wire/usage.ts'

export function encodeAnswer(answer: CanonicalAnswer, usage: UsageReport, context: AnswerContext): JsonObject {
  const text = answer.parts.map(textOfPart).join('')
  return { ...baseOf(context), choices: [choice(text, writeFinish(answer.finish?.reason))], usage: writeUsage(usage) }
}

export function baseOf({ requestId, createdAt, model }: AnswerContext) {
  return { id: `cmpl-${requestId}`, object: 'text_completion', created: createdAt, model }
}

export function choice(text: string, finish: string | null) {
  return { text, index: 0, logprobs: null, finish_reason: finish }
}

function textOfPart(part: Part): string {
  if (part.type === 'text' || part.type === 'refusal') return part.text
  return part.type === 'image' && part.source.kind === 'base64' ? imageText(part.source) : ''
}

export function imageText({ mediaType, data }: { readonly mediaType: string; readonly data: string }): string {
  return `![image](data:${mediaType};base64,${data})`
}

export function writeFinish(reason: FinishReason | undefined): string {
  if (reason === 'length') return 'length'
  return reason === 'refusal' ? 'content_filter' : 'stop'
}
