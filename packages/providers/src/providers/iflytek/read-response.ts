import { asList, asText, asJsonObject, type JsonObject } from '@tidegate/dialects'
import { type FailureClass, failureInBody } from '../../upstream/failure.ts'
import { readUsage, type ResponseChunk } from '../../custom-protocols/response-chunk.ts'
import type { ResponseReader } from '../../custom-protocols/translate-response.ts'

/** The status of the last message. */
const LAST_STATUS = 2

export const iflytekReader: ResponseReader = { readEvent: readMessage, readBody: readMessage }

function readMessage(message: JsonObject): ResponseChunk {
  const header = asJsonObject(message.header)
  throwOnError(header)
  const payload = asJsonObject(message.payload)
  const texts = asList(asJsonObject(payload?.choices)?.text).map((text) => asJsonObject(text))
  const chunk = {
    id: asText(header?.sid),
    text: texts.map((text) => asText(text?.content)).join(''),
    reasoning: texts.map((text) => asText(text?.reasoning_content)).join(''),
  }
  if (header?.status !== LAST_STATUS) return chunk
  const usage = asJsonObject(asJsonObject(payload?.usage)?.text)
  return { ...chunk, finishReason: 'stop', ...readUsage(usage, 'prompt_tokens', 'completion_tokens'), isLast: true }
}

function throwOnError(header: JsonObject | undefined): void {
  const code = header?.code
  if (typeof code !== 'number' || code === 0) return
  throw failureInBody({
    failureClass: CLASS_OF_CODE[code] ?? 'server',
    code: String(code),
    message: asText(header?.message),
  })
}

const CLASS_OF_CODE: Readonly<Record<number, FailureClass>> = {
  10003: 'client',
  10004: 'client',
  10005: 'client',
  10006: 'rate',
  10007: 'rate',
  10008: 'rate',
  10013: 'client',
  10014: 'client',
  10015: 'auth',
  10016: 'auth',
  10019: 'client',
  10021: 'client',
  10110: 'rate',
  10163: 'client',
  10404: 'client',
  10907: 'client',
  11200: 'auth',
  11201: 'credit',
  11202: 'rate',
  11203: 'rate',
}
