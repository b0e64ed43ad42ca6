import type { Settings } from '@tidegate/contract'
import { asJsonObject, type JsonObject } from '@tidegate/dialects'
import { failureFromError, providerOf, type FailureClass, type UpstreamFailure } from '@tidegate/providers'
import type { SuccessfulAttempt } from '../dispatch/run-attempts.ts'
import { presentUpstreamError, withoutSecrets } from '../http/upstream-error.ts'

type RealtimeAttempt = Pick<SuccessfulAttempt<unknown>, 'route' | 'lease'>

/** Failures of the channel. The others are about what the client sent. */
const OF_CHANNEL: ReadonlySet<FailureClass> = new Set(['auth', 'credit', 'server'])
const ACCOUNT_REASON = 'upstream_account_error'

/** Replaces errors inside a session with what the client may see. Reports the first failure of the channel. */
export function providerErrors(
  { route: { channel }, lease: { key } }: RealtimeAttempt,
  settings: Settings,
  report: (failure: UpstreamFailure, outcome: FailureClass) => void,
): { present(event: JsonObject): JsonObject; presentReason(reason: string): string } {
  const { classify } = providerOf(channel.type)
  let isReported = false

  function toFailure(error: unknown): UpstreamFailure {
    const isOfRequest = asJsonObject(error)?.type === 'invalid_request_error'
    const failure = failureFromError(error, undefined, isOfRequest ? 400 : 502)
    const outcome = classify(failure)
    if (!isReported && OF_CHANNEL.has(outcome)) {
      isReported = true
      report(failure, outcome)
    }
    return failure
  }

  function presentError(error: JsonObject): JsonObject {
    const shown = presentUpstreamError(toFailure(error), { channel, key }, settings).error
    return { ...shown, ...(error.event_id !== undefined && { event_id: error.event_id }) }
  }

  return {
    present(event) {
      const error = asJsonObject(event.error)
      if (error) return { ...event, error: presentError(error) }
      const response = asJsonObject(event.response)
      const details = asJsonObject(response?.status_details)
      const cause = asJsonObject(details?.error)
      if (!cause) return event
      return { ...event, response: { ...response, status_details: { ...details, error: presentError(cause) } } }
    },
    presentReason(reason) {
      // Such as `invalid_request_error.insufficient_quota`.
      const ofAccount = reason
        .split(/[^\w-]+/)
        .map((code) => failureFromError({ code, message: reason }))
        .find((failure) => ['auth', 'credit'].includes(classify(failure)))
      if (!ofAccount) return withoutSecrets(reason, channel, [key])
      toFailure(ofAccount.error)
      return ACCOUNT_REASON
    },
  }
}
