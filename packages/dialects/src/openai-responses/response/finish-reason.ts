import type { CanonicalEvent, FinishReason } from '../../canonical/index.ts'
import { asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'

type Finish = Omit<Extract<CanonicalEvent, { type: 'finish' }>, 'type'>

/** This protocol has a reason only for incomplete responses. Tool calls show in the output items. */
export function readFinish(
  response: JsonObject,
  { isIncomplete, hasCalls }: { isIncomplete: boolean; hasCalls: boolean },
): Finish {
  if (isIncomplete) {
    const raw = asText(asJsonObject(response.incomplete_details)?.reason)
    return { reason: INCOMPLETE_REASONS[raw] ?? 'other', raw: raw || 'incomplete' }
  }
  return { reason: hasCalls ? 'tool-calls' : 'stop', raw: asText(response.status) || undefined }
}

const INCOMPLETE_REASONS: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: 'length',
  content_filter: 'refusal',
}

/** Reason of an incomplete response. `undefined` for a complete one. */
export function incompleteReason(reason: FinishReason): string | undefined {
  if (reason === 'length') return 'max_output_tokens'
  return reason === 'refusal' ? 'content_filter' : undefined
}
