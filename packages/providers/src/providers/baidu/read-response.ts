import { randomUUID } from 'node:crypto'
import { asText, asJsonObject, type JsonObject } from '@tidegate/dialects'
import { type FailureClass, failureInBody } from '../../upstream/failure.ts'
import { readUsage, type ResponseChunk } from '../../custom-protocols/response-chunk.ts'
import type { ResponseReader } from '../../custom-protocols/translate-response.ts'

/** Streamed and whole responses have the same format; the last event is marked. */
export const baiduReader: ResponseReader = {
  readEvent(data) {
    const { usage, ...chunk } = readResult(data)
    // Every event carries the usage so far; only the last one is the total.
    return data.is_end === true ? { ...chunk, usage, finishReason: readFinishReason(data), isLast: true } : chunk
  },
  readBody: (body) => ({ ...readResult(body), finishReason: readFinishReason(body) }),
}

function readResult(body: JsonObject): ResponseChunk {
  throwOnError(body)
  const { id, created, result, usage } = body
  const call = asJsonObject(body.function_call)
  return {
    id: asText(id),
    ...(typeof created === 'number' && { created }),
    text: asText(result),
    ...(call && {
      toolCalls: [{ index: 0, id: newCallId(), name: asText(call.name), arguments: asText(call.arguments) }],
    }),
    ...readUsage(asJsonObject(usage), 'prompt_tokens', 'completion_tokens'),
  }
}

function newCallId(): string {
  return `call_${randomUUID().replaceAll('-', '')}`
}

function readFinishReason({ finish_reason, is_truncated, function_call }: JsonObject): string {
  if (asJsonObject(function_call) || finish_reason === 'function_call') return 'tool_calls'
  if (finish_reason === 'content_filter') return 'content_filter'
  return finish_reason === 'length' || is_truncated === true ? 'length' : 'stop'
}

/** Throws an error that Baidu sends with status 200. */
export function throwOnError({ error_code: code, error_msg: message }: JsonObject): void {
  if (typeof code !== 'number' || code === 0) return
  throw failureInBody({ failureClass: classifyCode(code), code: String(code), message: asText(message) })
}

const CODES_OF_CLASS: Readonly<Record<FailureClass, readonly number[]>> = {
  auth: [6, 13, 14, 15, 100, 110, 111, 336001, 336005],
  credit: [17, 19],
  rate: [4, 18, 336100, 336501, 336502, 336503, 336504, 336505, 336506, 336507],
  client: [3, 336002, 336003, 336006, 336007, 336103, 336104, 336105, 336106, 336200],
  server: [],
}

function classifyCode(code: number): FailureClass {
  const known = Object.entries(CODES_OF_CLASS).find(([, codes]) => codes.includes(code))
  return (known?.[0] as FailureClass | undefined) ?? 'server'
}
