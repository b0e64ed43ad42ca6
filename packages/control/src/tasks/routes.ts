import { api, ApiError, type PageRequest, type QueryOf } from '@tidegate/contract'
import { fromSeconds, taskLists, type TaskListRow, type TaskFilters } from '@tidegate/storage'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Serve } from '../serve.ts'
import { imageTaskView, kindOf, MEDIA_KINDS, mediaView, type Audience } from './task-views.ts'

export function registerTasks(serve: Serve, { db, catalog }: Pick<Deps, 'db' | 'catalog'>): void {
  const list = async (filters: TaskFilters, page: PageRequest, reply: FastifyReply) => {
    if (page.offset > MAX_OFFSET) throw new ApiError('page_too_deep')
    const [rows, { count, more }] = await Promise.all([
      taskLists.page(db, filters, page),
      taskLists.countUpTo(db, filters, api.COUNTED_LOGS),
    ])
    // Counting stops at a limit; the shown rows exist anyway.
    void reply.header(api.TOTAL_HEADER, more ? Math.max(count, page.offset + rows.length) : count)
    return rows
  }
  const imageTasks = (rows: TaskListRow[], audience: Audience) =>
    rows.map((row) => imageTaskView(row, audience, catalog().settings))
  const media = (rows: TaskListRow[], audience: Audience) => rows.map((row) => mediaView(row, audience))

  serve(api.listDrawings, async ({ query: { filters, page }, reply }) =>
    imageTasks(await list(imageTaskFilters(filters), page, reply), 'administrator'),
  )
  serve(api.listOwnDrawings, async ({ actor, query: { filters, page }, reply }) =>
    imageTasks(await list({ ...imageTaskFilters(filters), userId: actor.id }, page, reply), 'owner'),
  )
  serve(api.listMediaTasks, async ({ query: { filters, page }, reply }) =>
    media(await list(mediaFilters(filters), page, reply), 'administrator'),
  )
  serve(api.listOwnMediaTasks, async ({ actor, query: { filters, page }, reply }) =>
    media(await list({ ...mediaFilters(filters), userId: actor.id }, page, reply), 'owner'),
  )
}

/** Offsets are expensive; filters or shorter time ranges find older rows. */
const MAX_OFFSET = 10_000

type ImageTaskFilters = QueryOf<typeof api.listDrawings>['filters']
type MediaFilters = QueryOf<typeof api.listMediaTasks>['filters']

/** Times are milliseconds. */
function imageTaskFilters({ mj_id, channel_id, start_timestamp, end_timestamp }: ImageTaskFilters): TaskFilters {
  return {
    kinds: ['drawing'],
    upstreamId: mj_id,
    channelId: channel_id,
    from: fromMilliseconds(start_timestamp),
    to: fromMilliseconds(end_timestamp),
  }
}

/** Times are seconds. Rows are more precise, so the last second is included. */
function mediaFilters({ task_id, platform, action, status, channel_id, ...times }: MediaFilters): TaskFilters {
  const { start_timestamp: start, end_timestamp: end } = times
  return {
    kinds: platform === undefined ? MEDIA_KINDS : [kindOf(platform) ?? NO_KIND],
    upstreamId: task_id,
    action,
    status,
    channelId: channel_id,
    from: fromMilliseconds(start && start * 1000),
    to: fromMilliseconds(end && end * 1000 + 999),
  }
}

/** Matches no task, for unknown platforms. */
const NO_KIND = ''

/** 0 means no time. */
function fromMilliseconds(time: number | undefined): Date | undefined {
  return time ? fromSeconds(time / 1000) : undefined
}
