import { api, type ApiError, type ErrorDetails, errorMessage, cacheLimit } from '@tidegate/contract'
import { UpstreamFailure } from '@tidegate/providers'
import { LRUCache } from 'lru-cache'
import type { ApiRequest } from '../http/api-request.ts'
import type { Endpoint } from '../http/endpoints.ts'
import { toKnownError } from '../http/error-response.ts'
import type { ErrorLogRow, Ports } from '../ports/index.ts'
import { NoRoute } from '../route/route.ts'
import { roundTimes, traceFields } from './observe-request.ts'

const MAX_NAME_LENGTH = 256
const MAX_TEXT_LENGTH = 500

interface RejectionFacts {
  readonly failure: unknown
  /** The status that the client received. */
  readonly status: number
}

/** Records a request that was rejected before a channel was called, so that its request id leads to an explanation. */
export function recordRejection(
  { ports, sampler }: { ports: Pick<Ports, 'catalog' | 'now'>; sampler: RejectionSampler },
  incoming: ApiRequest,
  { failure, status }: RejectionFacts,
): void {
  // Failed attempts have rows of their own.
  const known = toKnownError(failure)
  if (known instanceof UpstreamFailure || !isModelRequest(incoming.endpoint)) return
  if (!ports.catalog().settings.LogErrorEnabled) return
  const { code } = known
  const { caller } = incoming.known
  sampler.add(rowOf(ports, incoming, known, status), {
    code,
    source: caller && (caller.tokenId > 0 ? `token ${caller.tokenId}` : `user ${caller.userId}`),
  })
}

/** Copies of requests are not requests of this site. Images are shown by browsers, without a token and a model. */
function isModelRequest(endpoint: Endpoint): boolean {
  return endpoint.kind !== 'shadow' && !(endpoint.kind === 'task' && endpoint.action.kind === 'image')
}

function rowOf({ now }: Pick<Ports, 'now'>, incoming: ApiRequest, failure: ApiError, status: number): ErrorLogRow {
  const { caller, group = '', model = '', request, timing, routing } = incoming.known
  const { method = '', url = '', headers } = incoming.request
  return {
    requestId: incoming.requestId,
    userId: caller?.userId ?? 0,
    tokenId: caller?.tokenId ?? 0,
    type: api.LOG_TYPE.error,
    createdAt: new Date(now()),
    username: caller?.username ?? '',
    tokenName: caller?.tokenName ?? '',
    modelName: cut(model, MAX_NAME_LENGTH),
    channelId: 0,
    group,
    isStream: request?.stream ?? false,
    useTimeMs: Math.round(now() - incoming.startedAt),
    // Without an owner the row is for administrators only.
    clientIp: !caller || caller.userSetting.showIp ? incoming.clientAddress : '',
    content: cut(errorMessage(failure.code, incoming.language, failure.details), MAX_TEXT_LENGTH),
    other: {
      rejected: true,
      error_code: failure.code,
      status_code: status,
      ...(timing && { timing: roundTimes(timing) }),
      ...traceFields(incoming),
      admin_info: {
        method,
        path: cut(url.replace(/[?#].*$/, ''), MAX_NAME_LENGTH),
        protocol: incoming.dialect.id,
        client: cut(headers['user-agent'] ?? '', MAX_NAME_LENGTH),
        details: short(failure.details),
        ...(routing && { decision: routing.decision }),
        ...decisionIn(failure),
      },
    },
  }
}

/** Details can contain client input of any length. */
function short(details: ErrorDetails): ErrorDetails {
  const shorten = (value: ErrorDetails[string]) => (typeof value === 'string' ? cut(value, MAX_NAME_LENGTH) : value)
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
 * Copies the beginning of a text: a slice would keep the whole body in memory. PostgreSQL rejects NUL and incomplete
 * characters; other control characters become spaces.
 */
function cut(text: string, length: number): string {
  return Buffer.from(text.slice(0, length))
    .toString()
    .replaceAll(/\p{Cc}/gu, ' ')
}

interface Limit {
  /** Rows that may be written at once. */
  readonly burst: number
  /** Milliseconds until one more may be written. */
  readonly refillMs: number
}

/**
 * One error code of one token: a developer finds every request of a debugging session, a loop leaves one row a minute.
 */
const SOURCE_LIMIT: Limit = { burst: 50, refillMs: 60_000 }
/** All sources of one process together. */
const TOKENS_LIMIT: Limit = { burst: 1_000, refillMs: 600 }
/** Requests without a known token: anyone can send them, from any number of addresses. */
const UNKNOWN_TOKEN_LIMIT: Limit = { burst: 200, refillMs: 6_000 }
/** Sources that are held at once. Beyond that, the oldest is dropped with its count. */
const MAX_SOURCES = 2_000
/** After this time, a row is written for rejections that were only counted. */
const SUMMARY_MS = 10 * 60_000
const MAX_SUMMARIES = 200

interface Source extends Bucket {
  skipped: number
  skippedSince: number
  /** The last row that was only counted. */
  last?: ErrorLogRow
}

interface Bucket {
  left: number
  at: number
}

export interface RejectionSampler {
  /** Writes the row or counts it. `source` identifies the token; undefined for an unknown one. */
  add(row: ErrorLogRow, from: { readonly code: string; readonly source?: string | undefined }): void
  /** Writes the counts: those older than the summary interval, or all of them. */
  flush(all?: boolean): void
}

/** Limits the rows of rejected requests by error code and source. Later rows have the number of skipped ones. */
export function createRejectionSampler({
  now,
  write,
}: {
  now(): number
  write(row: ErrorLogRow): void
}): RejectionSampler {
  const sources = new LRUCache<string, Source>(cacheLimit(MAX_SOURCES))
  const tokens: Bucket = { left: TOKENS_LIMIT.burst, at: now() }
  const unknown: Bucket = { left: UNKNOWN_TOKEN_LIMIT.burst, at: now() }

  function take(bucket: Bucket, { burst, refillMs }: Limit): boolean {
    const refilled = Math.floor((now() - bucket.at) / refillMs)
    if (refilled > 0) {
      bucket.left = Math.min(burst, bucket.left + refilled)
      bucket.at += refilled * refillMs
    }
    if (bucket.left <= 0) return false
    bucket.left -= 1
    return true
  }

  function writeCounted(row: ErrorLogRow, source: Source, others: number): void {
    source.skipped = 0
    delete source.last
    write(others > 0 ? { ...row, other: { ...row.other, not_recorded: others } } : row)
  }

  return {
    add(row, { code, source: from }) {
      const key = `${from ?? 'unknown'} ${code}`
      const source = sources.get(key) ?? { left: SOURCE_LIMIT.burst, at: now(), skipped: 0, skippedSince: now() }
      sources.set(key, source)
      const [shared, limit] = from === undefined ? [unknown, UNKNOWN_TOKEN_LIMIT] : [tokens, TOKENS_LIMIT]
      // Requests without a known token share one source per error code: clients can use any number of addresses.
      const isAllowed = from === undefined ? take(shared, limit) : take(source, SOURCE_LIMIT) && take(shared, limit)
      if (isAllowed) return writeCounted(row, source, source.skipped)
      if (source.skipped === 0) source.skippedSince = now()
      source.skipped += 1
      source.last = row
    },
    flush(all = false) {
      let written = 0
      for (const source of sources.rvalues()) {
        if (!source?.last || (!all && now() - source.skippedSince < SUMMARY_MS)) continue
        if ((written += 1) > MAX_SUMMARIES) return
        writeCounted(source.last, source, source.skipped - 1)
      }
    },
  }
}
