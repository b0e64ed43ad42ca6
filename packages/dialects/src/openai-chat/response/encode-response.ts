import type { AnswerContext, CanonicalAnswer, Part } from '../../canonical/index.ts'
import { writeUsage } from '../../openai-wire/usage.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { UsageReport } from '@tidegate/contract'
import { writeFinish } from './finish-reason.ts'
import { expectsFunctionCall } from '../request/tools.ts'
import { imageAsText } from '../images.ts'
import { writeDetail } from '../signatures.ts'
import { namesOfTextTools, writeCall } from './tool-calls.ts'

export function encodeAnswer(answer: CanonicalAnswer, usage: UsageReport, context: AnswerContext): JsonObject {
  const calls = answer.parts.filter((part) => part.type === 'tool-call')
  return {
    id: `chatcmpl-${context.requestId}`,
    object: 'chat.completion',
    created: context.createdAt,
    model: context.model,
    choices: [
      {
        index: 0,
        message: messageOf(answer.parts, context),
        logprobs: null,
        finish_reason: writeFinish(answer.finish?.reason, calls.length > 0, expectsFunctionCall(context.request)),
      },
    ],
    usage: writeUsage(usage),
  }
}

function messageOf(parts: readonly Part[], { request }: AnswerContext): JsonObject {
  const texts = parts.map(contentOf)
  const refusal = parts.map((part) => (part.type === 'refusal' ? part.text : '')).join('')
  const thought = parts.map((part) => (part.type === 'thinking' ? part.text : '')).join('')
  const details = parts.flatMap((part, place) =>
    part.type === 'thinking' && part.signature ? [writeDetail(part, place)] : [],
  )
  return {
    role: 'assistant',
    content: texts.every((text) => text === undefined) ? null : texts.join(''),
    refusal: refusal === '' ? null : refusal,
    ...(thought !== '' && { reasoning_content: thought }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...callFields(parts, request),
  }
}

function contentOf(part: Part): string | undefined {
  if (part.type === 'text') return part.text
  if (part.type !== 'image') return undefined
  if (part.source.kind === 'base64') return imageAsText(part.source)
  return part.source.kind === 'url' ? `![image](${part.source.url})` : undefined
}

function callFields(parts: readonly Part[], request: AnswerContext['request']): JsonObject {
  const calls = parts.filter((part) => part.type === 'tool-call')
  const [first] = calls
  if (!first) return {}
  if (expectsFunctionCall(request)) return { function_call: { name: first.name, arguments: first.arguments || '{}' } }
  const textTools = namesOfTextTools(request)
  return { tool_calls: calls.map((call) => writeCall(call, textTools.has(call.name))) }
}
