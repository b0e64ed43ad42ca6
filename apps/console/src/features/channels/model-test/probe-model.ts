import { testChannel } from '@tidegate/contract/api'
import { CallError, errorText } from '../../../lib/call-error.ts'
import { callForFinding } from '../../../lib/call.ts'

export interface ProbeResult {
  ok: boolean
  /** What went wrong; blank when nothing did. */
  message: string
  seconds: number
  /** The model that was asked for in the end. */
  model: string
  /** It may well pass when it is tried again. */
  retryable: boolean
}

export interface ProbeOrder {
  channelId: number
  /** Without one the channel's own choice is tested. */
  model?: string
  stream?: boolean
  signal?: AbortSignal
}

/** Sends one small call through a channel. Never throws, except when it was called off. */
export async function probeModel({ channelId, model = '', stream = false, signal }: ProbeOrder): Promise<ProbeResult> {
  try {
    const finding = await callForFinding(testChannel, {
      params: { id: channelId },
      query: { model, ...(stream && { stream }) },
      ...(signal && { signal }),
    })
    const { success, message, time, code } = finding
    return {
      ok: success,
      message,
      seconds: time ?? 0, // a refusal has none
      model: finding.model ?? model,
      retryable: !success && !FINAL_CODES.has(code ?? '') && !isFinal(message),
    }
  } catch (error) {
    signal?.throwIfAborted()
    const status = error instanceof CallError ? error.status : 0
    return { ok: false, message: errorText(error), seconds: 0, model, retryable: status !== 401 && status !== 404 }
  }
}

/** Refusals of our own that a second try cannot change. */
const FINAL_CODES = new Set(['channel_not_found', 'channel_test_unsupported', 'channel_test_off', 'demo_site'])

/** Keys, models and requests that a vendor will refuse again. Anything else may be a bad moment. */
function isFinal(message: string): boolean {
  return /\b(400|401|403|404|405|422)\b|api[ _-]?key|unauthor|forbidden|permission|not (?:found|supported|exist)|does not exist|invalid|密钥|不存在|不支持/i.test(
    message,
  )
}
