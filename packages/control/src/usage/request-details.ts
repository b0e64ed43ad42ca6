import {
  api,
  errorMessage,
  ERRORS,
  ApiError,
  type ErrorCode,
  type ErrorDetails,
  type Language,
} from '@tidegate/contract'
import type { LogRow } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { logView, ownLogView, addChatContent } from './log-view.ts'

const MAX_ROWS = 50

/** All log data of one request, for its user or an administrator. */
export async function readRequestDetails(
  { db, logs, catalog }: Pick<Deps, 'db' | 'logs' | 'catalog'>,
  requestId: string | undefined,
  reader: { readonly userId: number } | 'administrator',
  language: Language,
): Promise<api.RequestTrail> {
  if (requestId === undefined) throw new ApiError('request_not_found')
  const forAll = reader === 'administrator'
  const owner = forAll ? {} : { userId: reader.userId }
  const found = await logs.page({ ...owner, request_id: requestId }, { limit: MAX_ROWS })
  const rows = await addChatContent(db, found.rows)
  const billed = rows.find(({ type }) => type === api.LOG_TYPE.consumption)
  const failures = rows.filter(({ type }) => type === api.LOG_TYPE.error).toReversed()
  if (!billed && failures.length === 0) throw new ApiError('request_not_found')

  const view = forAll ? logView : ownLogView
  const nameOf: NameOf | undefined = forAll ? (id) => catalog().channels.get(id)?.name ?? '' : undefined
  return {
    request_id: requestId,
    outcome: outcomeOf(billed, failures),
    steps: stepsOf(billed ?? failures.at(-1)!, nameOf),
    ...(nameOf && decisionOf(billed ?? failures.at(-1)!, nameOf)),
    ...(billed && { row: view(billed) }),
    errors: failures.map((row) => view(translateRejection(row, language))),
    charged: chargeOf(billed),
  }
}

/** A rejection in the reader's language. */
function translateRejection(row: LogRow, language: Language): LogRow {
  const { rejected, error_code: code, admin_info } = row.other as RejectionFacts
  if (!rejected || code === undefined || !Object.hasOwn(ERRORS, code)) return row
  return { ...row, content: errorMessage(code as ErrorCode, language, admin_info?.details) }
}

interface RejectionFacts {
  rejected?: boolean
  error_code?: string
  admin_info?: { details?: ErrorDetails }
}

/** Fields of a billed request that ended early, as in the status filter of the log. */
const INTERRUPTED = ['interrupted', 'stream_interrupted', 'client_disconnected', 'access_revoked']

function outcomeOf(billed: LogRow | undefined, failures: readonly LogRow[]): api.RequestTrail['outcome'] {
  if (billed) return INTERRUPTED.some((field) => billed.other[field]) ? 'interrupted' : 'served'
  return failures.every(({ other }) => other['rejected']) ? 'rejected' : 'failed'
}

/** Name of a channel; blank when it was deleted. */
type NameOf = (channelId: number) => string

interface RequestFacts {
  timing?: Partial<Record<'authenticate' | 'limits' | 'prompt' | 'route' | 'credit', number>>
  frt?: number
  uncovered?: number
  token_limited?: boolean
  admin_info?: {
    attempts?: { channel: number; dialect: string; milliseconds: number; status?: number; reason?: string }[]
    decision?: {
      candidates: number
      kept?: number
      passedOver: { channelId: number; reason: string }[]
      passedOverCount: number
    }
  }
}

const BEFORE_ATTEMPTS = ['authenticate', 'limits', 'prompt', 'route', 'credit'] as const

/** Steps on one time axis. Only administrators see the channels. */
function stepsOf(row: LogRow, nameOf: NameOf | undefined): api.RequestStep[] {
  const { timing = {}, frt = -1, admin_info = {} } = row.other as RequestFacts
  const steps: api.RequestStep[] = []
  let at = 0
  const add = (step: Omit<api.RequestStep, 'started'>) => {
    steps.push({ ...step, started: round(at) })
    at += step.took
  }
  for (const kind of BEFORE_ATTEMPTS) if (timing[kind] !== undefined) add({ kind, took: timing[kind] })
  const { attempts = [] } = admin_info
  if (nameOf) {
    for (const { channel, dialect, milliseconds, status, reason } of attempts) {
      const channel_name = nameOf(channel)
      const served = status === undefined
      add({ kind: 'attempt', took: milliseconds, served, channel, channel_name, dialect, ...failure(status, reason) })
    }
  } else if (attempts.length > 0) {
    const served = attempts.some(({ status }) => status === undefined)
    add({ kind: 'attempt', took: attempts.reduce((sum, { milliseconds }) => sum + milliseconds, 0), served })
  }
  if (row.type === api.LOG_TYPE.error) return steps
  if (frt >= 0) steps.push({ kind: 'first_token', started: frt, took: 0 })
  at = Math.min(Math.max(at, frt), row.use_time_ms)
  add({ kind: 'answer', took: round(row.use_time_ms - at) })
  add({ kind: 'settle', took: 0 })
  return steps
}

function failure(status: number | undefined, reason: string | undefined) {
  return { ...(status !== undefined && { status }), ...(reason !== undefined && { reason }) }
}

function decisionOf(row: LogRow, nameOf: NameOf): Pick<api.RequestTrail, 'decision'> {
  const { decision } = (row.other as RequestFacts).admin_info ?? {}
  if (!decision) return {}
  const { candidates, kept, passedOver, passedOverCount } = decision
  return {
    decision: {
      candidates,
      ...(kept !== undefined && { kept }),
      passed_over: passedOver.map(({ channelId, reason }) => ({
        channel: channelId,
        channel_name: nameOf(channelId),
        reason,
      })),
      passed_over_count: passedOverCount,
    },
  }
}

function chargeOf(row: LogRow | undefined): api.RequestTrail['charged'] {
  if (!row) return { quota: 0, token_quota: 0, uncovered: 0 }
  const { token_limited = false, uncovered = 0 } = row.other as RequestFacts
  return { quota: row.quota, token_quota: token_limited ? row.quota : 0, uncovered }
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}
