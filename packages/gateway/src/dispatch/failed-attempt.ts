import { api, type Settings } from '@tidegate/contract'
import { asText, type RequestHead } from '@tidegate/dialects'
import { providerOf, type UpstreamFailure } from '@tidegate/providers'
import type { Health, AttemptLease } from '../health/health.ts'
import type { ApiRequest } from '../http/api-request.ts'
import { roundTimes, traceFields } from '../admit/observe-request.ts'
import { presentUpstreamError, withoutSecrets } from '../http/upstream-error.ts'
import type { Caller, Ports, AttemptRecord } from '../ports/index.ts'
import type { Route } from '../route/route.ts'

interface FailureContext {
  readonly incoming: Pick<ApiRequest, 'requestId' | 'clientAddress' | 'startedAt' | 'known'>
  readonly caller: Caller
  readonly request: Pick<RequestHead, 'model' | 'stream'>
}

/** Some providers respond with whole HTML pages, or repeat the prompt. */
const MAX_TEXT_LENGTH = 4_000
const MAX_NAME_LENGTH = 200

interface FailureDeps {
  readonly ports: Pick<Ports, 'disable' | 'recordError' | 'now'>
  readonly health: Pick<Health, 'autoDisable'>
  readonly settings: Settings
}

/** Writes the row of a failed attempt, once it is known whether the request ends with it. */
export type RecordAttempt = (isFinal: boolean) => void

/**
 * Handles the consequences of a failed attempt: disables the channel key, and returns how to write its row to the log.
 * Undefined where it has no row.
 */
export function createFailureHandler(
  { ports, health, settings }: FailureDeps,
  { incoming, caller, request }: FailureContext,
) {
  return (
    route: Route,
    lease: AttemptLease,
    failure: UpstreamFailure,
    tried: readonly AttemptRecord[],
  ): RecordAttempt | undefined => {
    const { channel } = route
    const { key } = lease
    const outcome = providerOf(channel.type).classify(failure)
    const decision = health.autoDisable.evaluate(settings, { channel, key, outcome, failure })
    if (decision) ports.disable?.({ channelId: channel.id, key, reason: decision.reason })
    if (!settings.LogErrorEnabled || failure.kind === 'aborted') return undefined
    const { timing = {}, routing } = incoming.known
    // The user sees the row too, so it shows no more than the error response.
    const { error: shown } = presentUpstreamError(failure, { channel, key }, settings)
    const clean = (text: unknown) => cut(withoutSecrets(asText(text), channel, [key]), MAX_TEXT_LENGTH)
    const row = {
      requestId: incoming.requestId,
      userId: caller.userId,
      tokenId: caller.tokenId,
      type: api.LOG_TYPE.error,
      createdAt: new Date(ports.now()),
      username: caller.username,
      tokenName: caller.tokenName,
      modelName: request.model,
      channelId: channel.id,
      group: route.group,
      isStream: request.stream,
      useTimeMs: Math.max(0, ports.now() - incoming.startedAt),
      clientIp: caller.userSetting.showIp ? incoming.clientAddress : '',
      content: cut(shown.message, MAX_TEXT_LENGTH),
      other: {
        error_type: cut(asText(shown.type), MAX_NAME_LENGTH) || failure.kind,
        error_code: cut(asText(shown.code), MAX_NAME_LENGTH),
        status_code: failure.status,
        channel_id: channel.id,
        channel_name: channel.name,
        channel_type: channel.type,
        timing: roundTimes(timing),
        ...traceFields(incoming),
        admin_info: {
          message: clean(failure.error.message),
          type: clean(failure.error.type),
          code: clean(failure.error.code),
          use_channel: tried.map(({ channel: id }) => String(id)),
          attempts: [...tried],
          ...(routing && { decision: routing.decision }),
        },
      },
    }
    return (isFinal) => ports.recordError?.(isFinal ? row : { ...row, other: { ...row.other, not_final: true } })
  }
}

/** Without incomplete characters: PostgreSQL would reject the row. */
function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed()
}

export function describeAttempt(
  { channel }: Route,
  { dialect }: { readonly dialect: string },
  milliseconds: number,
  failed?: { readonly failure: UpstreamFailure; readonly key: string },
): AttemptRecord {
  return {
    channel: channel.id,
    dialect,
    milliseconds,
    ...(failed && { status: failed.failure.status, reason: reasonOf(channel, failed) }),
  }
}

function reasonOf(
  channel: Route['channel'],
  { failure: { kind, error }, key }: { failure: UpstreamFailure; key: string },
): string {
  return `${kind}: ${withoutSecrets(error.message, channel, [key])}`.slice(0, 300)
}
