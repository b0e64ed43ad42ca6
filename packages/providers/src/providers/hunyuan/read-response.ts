import { asList, asText, asJsonObject, type JsonObject } from '@tidegate/dialects'
import { type FailureClass, failureInBody } from '../../upstream/failure.ts'
import { readUsage, type ResponseChunk, type ToolCallDelta } from '../../custom-protocols/response-chunk.ts'
import type { ResponseReader } from '../../custom-protocols/translate-response.ts'

/** Whole responses and errors are inside `Response`; stream events are not. */
export const hunyuanReader: ResponseReader = {
  readEvent(data) {
    throwOnError(asJsonObject(data.Response) ?? data)
    const { usage, ...chunk } = readChoice(data, 'Delta')
    // Every event carries the usage so far; only the last one is the total.
    return chunk.finishReason === undefined ? chunk : { ...chunk, usage, isLast: true }
  },
  readBody(body) {
    const inner = asJsonObject(body.Response) ?? body
    throwOnError(inner)
    return readChoice(inner, 'Message')
  },
}

function readChoice(body: JsonObject, member: 'Delta' | 'Message'): ResponseChunk {
  const choice = asJsonObject(asList(body.Choices)[0])
  const message = asJsonObject(choice?.[member])
  const toolCalls = asList(message?.ToolCalls).map((call, position) => readToolCall(asJsonObject(call) ?? {}, position))
  return {
    id: asText(body.Id),
    ...(typeof body.Created === 'number' && { created: body.Created }),
    text: asText(message?.Content),
    reasoning: asText(message?.ReasoningContent),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...readFinishReason(asText(choice?.FinishReason)),
    ...readUsage(asJsonObject(body.Usage), 'PromptTokens', 'CompletionTokens'),
  }
}

function readToolCall({ Id, Index, Function }: JsonObject, position: number): ToolCallDelta {
  const fn = asJsonObject(Function)
  return {
    index: typeof Index === 'number' ? Index : position,
    id: asText(Id),
    name: asText(fn?.Name),
    arguments: asText(fn?.Arguments),
  }
}

function readFinishReason(reason: string): Pick<ResponseChunk, 'finishReason'> {
  if (reason === '') return {}
  return { finishReason: reason === 'sensitive' ? 'content_filter' : reason }
}

function throwOnError(body: JsonObject): void {
  const error = asJsonObject(body.Error)
  if (error) {
    const code = asText(error.Code)
    throw failureInBody({ failureClass: classifyCode(code), code, message: asText(error.Message) })
  }
  const streamError = asJsonObject(body.ErrorMsg)
  if (!streamError || (!streamError.Code && !streamError.Msg)) return
  throw failureInBody({ failureClass: 'server', code: String(streamError.Code), message: asText(streamError.Msg) })
}

const CLASS_OF_CODE: readonly (readonly [RegExp, FailureClass])[] = [
  [/Exhausted|Arrears|Insufficient/i, 'credit'],
  [/LimitExceeded|Frequent/i, 'rate'],
  [/^AuthFailure|^Unauthorized|NotActivated/i, 'auth'],
  [/^(Invalid|Missing|Unknown|Unsupported)/i, 'client'],
]

function classifyCode(code: string): FailureClass {
  return CLASS_OF_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? 'server'
}
