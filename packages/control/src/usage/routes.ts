import { setTimeout as delay } from 'node:timers/promises'
import { api, ApiError, toPage, type PageRequest, type QueryOf } from '@tidegate/contract'
import {
  auditEvents,
  channelMinutes,
  fromSeconds,
  type LogFilters,
  type LogRow,
  type Step,
  tokens,
  type UserSpending,
  usageSums,
  users,
} from '@tidegate/storage'
import { isStillAllowed } from '../auth/authenticate.ts'
import type { Deps } from '../deps.ts'
import { requestLanguage } from '../http/read-request.ts'
import { sendEvents, sendStream } from '../http/send-stream.ts'
import type { EndpointRequest, Serve } from '../serve.ts'
import { exportLog } from './export-log.ts'
import { readLiveMetrics } from './live-metrics.ts'
import { readFacets, readHistogram } from './log-counts.ts'
import { readCursor, readFilters, writeCursor } from './log-filters.ts'
import { logView, ownLogView, addChatContent } from './log-view.ts'
import { removeLogs } from './remove-logs.ts'
import { readRequestDetails } from './request-details.ts'

type ListedPage = { readonly page: PageRequest; readonly cursor?: string | undefined }
type View = (row: LogRow) => api.UsageLog
type ExportEndpoint = typeof api.exportLogs | typeof api.exportOwnLogs
type Export = Pick<EndpointRequest<ExportEndpoint>, 'request' | 'reply' | 'origin'>

/** Usage logs and the dashboard. */
export function registerUsage(
  serve: Serve,
  deps: Pick<Deps, 'db' | 'logs' | 'catalog' | 'vault' | 'now' | 'authFailures'>,
): void {
  registerLogs(serve, deps)
  registerDashboard(serve, deps)
}

function registerLogs(
  serve: Serve,
  deps: Pick<Deps, 'db' | 'logs' | 'catalog' | 'vault' | 'now' | 'authFailures'>,
): void {
  const { db, logs, catalog, now } = deps
  const list = async (filters: LogFilters, { page, cursor }: ListedPage, view: View) => {
    const after = cursor === undefined ? undefined : readCursor(cursor)
    if (!after && page.offset > MAX_OFFSET) throw new ApiError('page_too_deep')
    const [{ rows, next }, { count, more }] = await Promise.all([
      logs.page(filters, { after, ...page }),
      logs.count(filters, api.COUNTED_LOGS),
    ])
    const items = (await addChatContent(db, rows)).map(view)
    // Counting stops at a limit; the shown rows exist anyway.
    const total = more ? Math.max(count, page.offset + rows.length) : count
    return { ...toPage(items, total, page), capped: more, ...(next && { next_cursor: writeCursor(next) }) }
  }
  const costOf = async (filters: LogFilters) => {
    if (!filters.uncovered) {
      const { quota, capped } = await logs.cost(filters, now())
      return { quota, ...(capped && { capped }) }
    }
    const { requests, quota, charged, capped } = await logs.uncovered(filters)
    return { quota: charged, uncovered: { requests, quota, capped } }
  }
  const stat = async (filters: LogFilters) => {
    const since = new Date(now().getTime() - 60_000)
    const [cost, { calls, tokens }] = await Promise.all([costOf(filters), logs.rate(filters, since)])
    return { ...cost, rpm: calls, tpm: tokens }
  }
  const file = async (
    { request, reply, origin }: Export,
    endpoint: ExportEndpoint,
    filters: LogFilters,
    view: View,
  ) => {
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="usage-log.csv"',
    }
    const isAllowed = () => isStillAllowed(deps, request, { endpoint, origin })
    await sendStream(reply, headers, (signal) =>
      exportLog(logs, { filters, view, settings: catalog().settings, isAllowed }, signal),
    )
    return ''
  }
  const newest = async (filters: LogFilters, view: View) =>
    (await logs.page(filters, { limit: MAX_FOUND })).rows.map(view)
  const search = async (userId: number | undefined, keyword: string | undefined, view: View) => {
    if (keyword === undefined) return []
    return (await logs.search(userId, keyword, MAX_FOUND)).map(view)
  }

  serve(api.listLogs, async ({ query }) => list(await readFilters(deps, query.filters), query, logView))
  serve(api.getLogStat, async ({ query }) => stat(await readFilters(deps, query)))
  serve(api.getLogHistogram, async ({ query }) => readHistogram(deps, await readFilters(deps, query)))
  serve(api.getLogFacets, async ({ query }) => readFacets(deps, await readFilters(deps, query), 'administrator'))
  serve(api.exportLogs, async (call) => file(call, api.exportLogs, await readFilters(deps, call.query), logView))
  serve(api.getRequestTrail, ({ query, request }) =>
    readRequestDetails(deps, query.request_id, 'administrator', requestLanguage(deps, request)),
  )
  serve(api.searchLogs, ({ query }) => search(undefined, query.keyword, logView))

  serve(api.listOwnLogs, async ({ actor, query }) =>
    list({ ...(await readFilters(deps, query.filters)), userId: actor.id }, query, ownLogView),
  )
  serve(api.getOwnLogStat, async ({ actor, query }) => stat({ ...(await readFilters(deps, query)), userId: actor.id }))
  serve(api.getOwnLogHistogram, async ({ actor, query }) =>
    readHistogram(deps, { ...(await readFilters(deps, query)), userId: actor.id }),
  )
  serve(api.getOwnLogFacets, async ({ actor, query }) =>
    readFacets(deps, { ...(await readFilters(deps, query)), userId: actor.id }, 'user'),
  )
  serve(api.exportOwnLogs, async (call) => {
    const filters = { ...(await readFilters(deps, call.query)), userId: call.actor.id }
    return file(call, api.exportOwnLogs, filters, ownLogView)
  })
  serve(api.getOwnRequestTrail, ({ actor, query, request }) =>
    readRequestDetails(deps, query.request_id, { userId: actor.id }, requestLanguage(deps, request)),
  )
  serve(api.searchOwnLogs, ({ actor, query }) => search(actor.id, query.keyword, ownLogView))
  serve(api.listTokenLogs, async ({ actor, query, request }) => {
    const header = request.headers[api.TOKEN_HEADER.toLowerCase()]
    const key = typeof header === 'string' ? header.trim() : (query.key ?? '')
    const token = await tokens.findCaller(db, deps.vault.keyedHash('token-hash', key.replace(/^sk-/, '')))
    if (token?.user_id !== actor.id) throw new ApiError('token_not_found')
    return newest({ userId: actor.id, tokenId: token.token_id }, ownLogView)
  })

  serve(api.deleteLogs, async ({ actor, query: { target_timestamp }, origin }) => {
    if (!target_timestamp) throw new ApiError('log_time_missing')
    const before = fromSeconds(target_timestamp)
    const removed = await removeLogs(logs, before, now())
    await auditEvents.record(db, {
      actorId: actor.id,
      action: 'log.delete',
      subject: before.toISOString(),
      details: { removed },
      clientIp: origin.clientIp,
      requestId: origin.requestId,
      tokenName: origin.tokenName,
    })
    return removed
  })
}

/** Offsets are expensive; filters or shorter time ranges find older rows. */
const MAX_OFFSET = 100_000
const MAX_FOUND = 100

/** Usage over time and live metrics. */
function registerDashboard(serve: Serve, deps: Pick<Deps, 'db' | 'vault' | 'catalog' | 'now' | 'authFailures'>): void {
  const { db, catalog, now } = deps
  const sums = async (query: Span, longest: number, user?: { id: number; username: string }) => {
    if (!catalog().settings.DataExportEnabled) return []
    const rows = await usageSums.byModel(db, { ...spanOf(query, longest, now()), userId: user?.id })
    return rows.map(({ model_name, created_at, requests, quota, tokens }) => ({
      id: 0,
      user_id: user?.id ?? 0,
      username: user?.username ?? '',
      model_name,
      created_at,
      token_used: tokens,
      count: requests,
      quota,
    }))
  }

  serve(api.getSiteData, async ({ query }) => {
    if (query.username === undefined) return sums(query, api.SITE_DATA_SECONDS)
    const id = await users.findIdByName(db, query.username)
    return id === undefined ? [] : sums(query, api.SITE_DATA_SECONDS, { id, username: query.username })
  })
  serve(api.getOwnData, ({ actor, query }) => sums(query, api.OWN_DATA_SECONDS, actor))
  serve(api.getUserRanking, async ({ query }) => {
    if (!catalog().settings.DataExportEnabled) return []
    const { from, to } = spanOf(query, api.SITE_DATA_SECONDS, now())
    return (await usageSums.topUsers(db, { from, to, limit: RANKED })).map(spendingView)
  })
  serve(api.getTokenRanking, async ({ query }) => {
    if (!catalog().settings.DataExportEnabled) return []
    const { from, to } = spanOf(query, api.OWN_DATA_SECONDS, now())
    const rows = await usageSums.topTokens(db, { from, to: new Date(to.getTime() - 1000), limit: RANKED })
    return rows.map((row) => ({ ...spendingView(row), token_name: row.token_name }))
  })
  serve(api.getSlowestChannels, async ({ query }) => {
    const to = query.end_timestamp ? fromSeconds(query.end_timestamp + 1) : now()
    const earliest = new Date(now().getTime() - api.CHANNEL_DATA_SECONDS * 1000)
    const from = query.start_timestamp ? fromSeconds(query.start_timestamp) : earliest
    const rows = await channelMinutes.slowest(db, { from, to, limit: RANKED })
    return rows.map(({ name, first_token_ms, ...row }) => ({
      ...row,
      channel_name: name,
      ...(first_token_ms !== null && { first_token_ms }),
    }))
  })
  serve(api.followLiveFigures, async ({ origin, request, reply }) => {
    const call = { endpoint: api.followLiveFigures, origin }
    await sendEvents(reply, async function* (signal) {
      while (!signal.aborted && (await isStillAllowed(deps, request, call))) {
        yield await readLiveMetrics(db, now())
        await delay(INTERVAL_MS, undefined, { signal }).catch(() => undefined)
      }
    })
    return ''
  })
}

function spendingView({ user_id, username, requests, quota, tokens }: UserSpending): api.UserSum {
  return { user_id, username: username ?? '', count: requests, quota, token_used: tokens }
}

/** Rows of a ranking. */
const RANKED = 50
const INTERVAL_MS = 2000

type Span = QueryOf<typeof api.getOwnData>
const HOUR_MS = 3_600_000
/** Longer spans have at least a day per step: a chart cannot show thousands of points. */
const HOURLY_SECONDS = 32 * 86_400
const DAY_SECONDS = 86_400

/** Whole hours, as stored. Default: the last day. */
function spanOf({ start_timestamp, end_timestamp, default_time }: Span, longest: number, now: Date) {
  const end = end_timestamp ?? Math.floor(now.getTime() / 1000)
  const start = start_timestamp ?? end - DAY_SECONDS
  if (end - start > longest) throw new ApiError('data_span_too_long', { days: Math.floor(longest / DAY_SECONDS) })
  return {
    from: new Date(Math.floor((start * 1000) / HOUR_MS) * HOUR_MS),
    to: new Date((end + 1) * 1000),
    step: end - start > HOURLY_SECONDS && stepOf(default_time) === 'hour' ? ('day' as const) : stepOf(default_time),
  }
}

function stepOf(text: string | undefined): Step {
  return api.TIME_STEPS.find((step) => step === text) ?? 'hour'
}
