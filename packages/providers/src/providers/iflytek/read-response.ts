import { asList, asText, asJsonObject, type JsonObject } from '@tidegate/dialects'
import { type FailureClass, failureInside } from '../../upstream/failure.ts'
import { countsIn, type Said } from '../../custom-protocols/response-chunk.ts'
import type { AnswerReader } from '../../custom-protocols/translate-response.ts'

/** The status of the last message. */
const ENDED = 2

export const iflytekReader: AnswerReader = { event: readMessage, whole: readMessage }

function readMessage(message: JsonObject): Said {
  const header = asJsonObject(message.header)
  refuseErrors(header)
  const payload = asJsonObject(message.payload)
  const texts = asList(asJsonObject(payload?.choices)?.text).map((text) => asJsonObject(text))
  const said = {
    id: asText(header?.sid),
    text: texts.map((text) => asText(text?.content)).join(''),
    thoughts: texts.map((text) => asText(text?.reasoning_content)).join(''),
  }
  if (header?.status !== ENDED) return said
  const usage = asJsonObject(asJsonObject(payload?.usage)?.text)
  return { ...said, finish: 'stop', ...countsIn(usage, 'prompt_tokens', 'completion_tokens'), isLast: true }
}

function refuseErrors(header: JsonObject | undefined): void {
  const code = header?.code
  if (typeof code !== 'number' || code === 0) return
  throw failureInside({ fault: FAULTS[code] ?? 'server', code: String(code), message: asText(header?.message) })
}

const FAULTS: Readonly<Record<number, FailureClass>> = {
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
