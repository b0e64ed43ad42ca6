import { setTimeout as delay } from 'node:timers/promises'
import { api, ApiError, type QueryOf } from '@tidegate/contract'
import { usageSums, users, type Step } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { isStillAllowed } from '../auth/authenticate.ts'
import { sendEvents } from '../http/send-stream.ts'
import type { Serve } from '../serve.ts'
import { readLiveFigures } from './live-metrics.ts'

/** Use over time, and what is going on right now. */
export function registerDashboard(
  serve: Serve,
  deps: Pick<Deps, 'db' | 'vault' | 'catalog' | 'now' | 'authFailures'>,
): void {
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
    const rows = await usageSums.topUsers(db, { from, to, limit: RANKED_USERS })
    return rows.map(({ user_id, username, requests, quota, tokens }) => ({
      user_id,
      username: username ?? '',
      count: requests,
      quota,
      token_used: tokens,
    }))
  })
  serve(api.followLiveFigures, async ({ origin, request, reply }) => {
    const call = { endpoint: api.followLiveFigures, origin }
    await sendEvents(reply, async function* (signal) {
      while (!signal.aborted && (await isStillAllowed(deps, request, call))) {
        yield await readLiveFigures(db, now())
        await delay(EVERY_MS, undefined, { signal }).catch(() => undefined)
      }
    })
    return ''
  })
}

const RANKED_USERS = 50
const EVERY_MS = 2000

type Span = QueryOf<typeof api.getOwnData>
const HOUR_MS = 3_600_000
const DAY_SECONDS = 86_400

/** Whole hours, as they are kept. Without an end it is now, without a beginning a day before. */
function spanOf({ start_timestamp, end_timestamp, default_time }: Span, longest: number, now: Date) {
  const end = end_timestamp ?? Math.floor(now.getTime() / 1000)
  const start = start_timestamp ?? end - DAY_SECONDS
  if (end - start > longest) throw new ApiError('data_span_too_long', { days: Math.floor(longest / DAY_SECONDS) })
  return {
    from: new Date(Math.floor((start * 1000) / HOUR_MS) * HOUR_MS),
    to: new Date((end + 1) * 1000),
    step: stepOf(default_time),
  }
}

function stepOf(text: string | undefined): Step {
  return api.TIME_STEPS.find((step) => step === text) ?? 'hour'
}
