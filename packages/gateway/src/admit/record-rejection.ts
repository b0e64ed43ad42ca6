import { api, errorMessage, type ErrorDetails, type ApiError } from '@tidegate/contract'
import { UpstreamFailure } from '@tidegate/providers'
import type { Call } from '../http/api-request.ts'
import type { ErrorRow, Ports } from '../ports/index.ts'
import { asKnown } from '../http/error-response.ts'
import { NoRoute } from '../route/decision.ts'
import type { RejectionSampler } from './sample-rejections.ts'

const LONGEST_NAME = 256
const LONGEST_TEXT = 500

interface RejectionFacts {
  readonly failure: unknown
  /** As the client got it. */
  readonly status: number
}

/** Records a request that was rejected before any channel was asked, so that its request id leads to an explanation. */
export function recordRejection(
  { ports, sampler }: { ports: Pick<Ports, 'catalog' | 'now'>; sampler: RejectionSampler },
  call: Call,
  { failure, status }: RejectionFacts,
): void {
  // Failed attempts have rows of their own.
  const known = asKnown(failure)
  if (known instanceof UpstreamFailure || call.endpoint.kind === 'shadow') return
  if (!ports.catalog().settings.LogErrorEnabled) return
  const { code } = known
  const { caller } = call.known
  sampler.add(rowOf(ports, call, known, status), {
    code,
    source: caller && (caller.tokenId > 0 ? `token ${caller.tokenId}` : `user ${caller.userId}`),
  })
}

function rowOf({ now }: Pick<Ports, 'now'>, call: Call, failure: ApiError, status: number): ErrorRow {
  const { caller, group = '', model = '' } = call.known
  const { method = '', url = '', headers } = call.request
  return {
    requestId: call.requestId,
    userId: caller?.userId ?? 0,
    tokenId: caller?.tokenId ?? 0,
    type: api.LOG_TYPE.error,
    createdAt: new Date(now()),
    username: caller?.username ?? '',
    tokenName: caller?.tokenName ?? '',
    modelName: cut(model, LONGEST_NAME),
    channelId: 0,
    group,
    isStream: false,
    useTimeMs: Math.round(now() - call.startedAt),
    // Without an owner the row is for administrators only.
    clientIp: !caller || caller.userSetting.showIp ? call.clientAddress : '',
    content: cut(errorMessage(failure.code, call.language, failure.details), LONGEST_TEXT),
    other: {
      rejected: true,
      error_code: failure.code,
      status_code: status,
      admin_info: {
        method,
        path: cut(url.replace(/[?#].*$/, ''), LONGEST_NAME),
        protocol: call.dialect.id,
        client: cut(headers['user-agent'] ?? '', LONGEST_NAME),
        details: short(failure.details),
        ...decisionIn(failure),
      },
    },
  }
}

/** Details can hold what the client sent, of any length. */
function short(details: ErrorDetails): ErrorDetails {
  const shorten = (value: ErrorDetails[string]) => (typeof value === 'string' ? cut(value, LONGEST_NAME) : value)
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, shorten(value)]))
}

/** How the router decided, where it found no channel. */
function decisionIn(failure: unknown): object {
  for (let cause = failure; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof NoRoute) return { decision: cause.decision }
  }
  return {}
}

/**
 * A copy of the beginning of a text: a slice would keep the whole body in memory. The database takes neither NUL nor half a
 * character, and other control characters do not belong in a row.
 */
function cut(text: string, length: number): string {
  return Buffer.from(text.slice(0, length))
    .toString()
    .replaceAll(/\p{Cc}/gu, ' ')
}
