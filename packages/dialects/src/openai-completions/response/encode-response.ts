import type { UsageReport } from '@tidegate/contract'
import type { ResponseContext, CanonicalResponse, FinishReason, Part } from '../../canonical/index.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { writeUsage } from '../../openai-wire/usage.ts'

export function encodeResponse(response: CanonicalResponse, usage: UsageReport, context: ResponseContext): JsonObject {
  const text = response.parts.map(partText).join('')
  return {
    ...responseBase(context),
    choices: [writeChoice(text, writeFinish(response.finish?.reason))],
    usage: writeUsage(usage),
  }
}

export function responseBase({ requestId, createdAt, model }: ResponseContext) {
  return { id: `cmpl-${requestId}`, object: 'text_completion', created: createdAt, model }
}

export function writeChoice(text: string, finish: string | null) {
  return { text, index: 0, logprobs: null, finish_reason: finish }
}

function partText(part: Part): string {
  if (part.type === 'text' || part.type === 'refusal') return part.text
  return part.type === 'image' && part.source.kind === 'base64' ? writeMarkdownImage(part.source) : ''
}

export function writeMarkdownImage({ mediaType, data }: { readonly mediaType: string; readonly data: string }): string {
  return `![image](data:${mediaType};base64,${data})`
}

export function writeFinish(reason: FinishReason | undefined): string {
  if (reason === 'length') return 'length'
  return reason === 'refusal' ? 'content_filter' : 'stop'
}
