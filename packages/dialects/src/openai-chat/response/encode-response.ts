import type { ResponseContext, CanonicalResponse, Part } from '../../canonical/index.ts'
import { writeCitation } from '../../openai-wire/citations.ts'
import { writeUsage } from '../../openai-wire/usage.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { UsageReport } from '@tidegate/contract'
import { writeFinish } from './finish-reason.ts'
import { expectsFunctionCall } from '../request/tools.ts'
import { writeMarkdownImage } from '../images.ts'
import { writeReasoningDetail } from '../signatures.ts'
import { textToolNames, writeCall } from './tool-calls.ts'

export function encodeResponse(response: CanonicalResponse, usage: UsageReport, context: ResponseContext): JsonObject {
  const calls = response.parts.filter((part) => part.type === 'tool-call')
  return {
    id: `chatcmpl-${context.requestId}`,
    object: 'chat.completion',
    created: context.createdAt,
    model: context.model,
    choices: [
      {
        index: 0,
        message: encodeMessage(response.parts, context),
        logprobs: null,
        finish_reason: writeFinish(response.finish?.reason, calls.length > 0, expectsFunctionCall(context.request)),
      },
    ],
    usage: writeUsage(usage),
  }
}

function encodeMessage(parts: readonly Part[], { request }: ResponseContext): JsonObject {
  const texts = parts.map(partText)
  const refusal = parts.map((part) => (part.type === 'refusal' ? part.text : '')).join('')
  const thought = parts.map((part) => (part.type === 'thinking' ? part.text : '')).join('')
  const details = parts.flatMap((part, index) =>
    part.type === 'thinking' && part.signature ? [writeReasoningDetail(part, index)] : [],
  )
  return {
    role: 'assistant',
    content: texts.every((text) => text === undefined) ? null : texts.join(''),
    refusal: refusal === '' ? null : refusal,
    ...encodeCitations(parts),
    ...(thought !== '' && { reasoning_content: thought }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...encodeCalls(parts, request),
  }
}

function encodeCitations(parts: readonly Part[]): JsonObject {
  let before = ''
  const annotations: JsonObject[] = []
  for (const part of parts) {
    if (part.type === 'text') {
      for (const citation of part.citations ?? [])
        annotations.push({ type: 'url_citation', url_citation: writeCitation(citation, part.text, before) })
    }
    before += partText(part) ?? ''
  }
  return annotations.length > 0 ? { annotations } : {}
}

function partText(part: Part): string | undefined {
  if (part.type === 'text') return part.text
  if (part.type !== 'image') return undefined
  if (part.source.kind === 'base64') return writeMarkdownImage(part.source)
  return part.source.kind === 'url' ? `![image](${part.source.url})` : undefined
}

function encodeCalls(parts: readonly Part[], request: ResponseContext['request']): JsonObject {
  const calls = parts.filter((part) => part.type === 'tool-call')
  const [first] = calls
  if (!first) return {}
  if (expectsFunctionCall(request)) return { function_call: { name: first.name, arguments: first.arguments || '{}' } }
  const textTools = textToolNames(request)
  return { tool_calls: calls.map((call) => writeCall(call, textTools.has(call.name))) }
}
