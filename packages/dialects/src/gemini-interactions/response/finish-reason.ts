import type { WireError } from '../../canonical/errors.ts'
import type { CanonicalEvent, FinishReason } from '../../canonical/index.ts'
import { asJsonObject, asJsonObjects, asText, type JsonObject } from '../../json/json-object.ts'

type Finish = Omit<Extract<CanonicalEvent, { type: 'finish' }>, 'type'>

const REASONS: Readonly<Record<string, FinishReason>> = {
  completed: 'stop',
  requires_action: 'tool-calls',
  incomplete: 'length',
  requires_continuation: 'pause',
}

/** Code of the error in a response that a filter stopped. */
const FILTERED = 'content_filter'
const FILTER_CODES = /safety|prohibited|blocklist|spii|recitation|content_filter|policy/i

/** How an interaction ended: with a reason, or with an error. Neither while it is in progress. */
export function readEnd(interaction: JsonObject, hasCalls: boolean): { finish?: Finish; error?: WireError } {
  const raw = asText(interaction.status)
  const [first] = asJsonObjects(interaction.errors)
  const error = first ?? asJsonObject(interaction.error)
  switch (raw) {
    case '':
      return {}
    case 'failed':
      if (error && FILTER_CODES.test(`${asText(error.code)} ${asText(error.status)}`)) {
        return { finish: { reason: 'refusal', raw } }
      }
      return { error: { ...error, message: asText(error?.message) || 'The upstream failed to respond.' } }
    case 'queued':
    case 'in_progress':
      return { error: { message: 'The upstream did not finish the response.' } }
    case 'cancelled':
      return { error: { message: 'The upstream cancelled the response.' } }
    default: {
      const reason = REASONS[raw] ?? 'other'
      return { finish: { reason: reason === 'stop' && hasCalls ? 'tool-calls' : reason, raw } }
    }
  }
}

/** Members of an interaction that state its final status to a client. */
export function writeEnd({ reason, raw }: Finish): JsonObject {
  switch (reason) {
    case 'stop':
    case 'stop-sequence':
      return { status: 'completed' }
    case 'tool-calls':
      return { status: 'requires_action' }
    case 'refusal':
      return {
        status: 'failed',
        errors: [{ code: FILTERED, message: 'A content filter of the provider stopped the response.' }],
      }
    default:
      return { status: raw === 'budget_exceeded' ? raw : 'incomplete' }
  }
}
