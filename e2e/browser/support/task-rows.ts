import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import type { Site } from './site.ts'

/** A task as the provider's reports would leave it. Defaults are those of a completed image task. */
export interface StoredTask {
  kind?: 'drawing' | 'music' | 'video'
  username?: string
  channel?: number
  action?: string
  upstreamId: string
  status?: string
  progress?: number
  code?: number
  prompt?: string
  reason?: string
  resultUrl?: string
  data?: unknown
  quota?: number
  isRefunded?: boolean
  secondsAgo?: number
  /** Null while it is open. */
  seconds?: number | null
}

/** Writes a task to the database: these tests do not cover providers. */
export async function addTask({ db }: Pick<Site, 'db'>, task: StoredTask): Promise<void> {
  const { kind = 'drawing', username = 'operator', secondsAgo = 60, seconds = 42 } = task
  const submitted = new Date(Date.now() - secondsAgo * 1000)
  const finished = seconds === null ? null : new Date(submitted.getTime() + seconds * 1000)
  await sql`
    insert into task (kind, user_id, channel_id, request_id, vendor_id, action, status, progress, code, prompt, fail_reason,
      result_url, data, secret, quota, refunded_at, submitted_at, started_at, finished_at, deadline_at)
    select ${kind}, id, ${task.channel ?? 0}, ${randomUUID()}, ${task.upstreamId}, ${task.action ?? 'IMAGINE'},
      ${task.status ?? 'SUCCESS'}, ${task.progress ?? 100}, ${task.code ?? 1}, ${task.prompt ?? ''}, ${task.reason ?? ''},
      ${task.resultUrl ?? ''}, ${JSON.stringify(task.data ?? null)}::jsonb, 'not shown to users', ${task.quota ?? 50_000},
      ${task.isRefunded ? finished : null}, ${submitted}, ${submitted}, ${finished}, now() + interval '1 hour'
    from "user" where username = ${username}
  `.execute(db)
}

/** Writes a completed batch of two lines. It ran at the provider of a channel, or at the site. */
export async function addBatch(
  { db }: Pick<Site, 'db'>,
  { username, id, channel }: { username: string; id: string; channel: number | null },
): Promise<void> {
  const times = JSON.stringify({ in_progress: 1_763_200_000, completed: 1_763_203_600 })
  await sql`
    insert into batch (id, user_id, token_id, token_name, protocol, endpoint, model, state, client_ip, total, succeeded,
      charged, state_times, channel_id, deadline, ended_at)
    select ${id}, id, 0, 'nightly', 'openai', '/v1/chat/completions', 'gpt-4o-mini', 'completed', '', 2, 2, 50000,
      ${times}::jsonb, ${channel}::bigint, now(), now()
    from "user" where username = ${username}
  `.execute(db)
}

/** Changes a task as a report of the provider would. */
export async function moveTask(
  { db }: Pick<Site, 'db'>,
  upstreamId: string,
  { status, progress }: { status: string; progress: number },
): Promise<void> {
  const isOver = status === 'SUCCESS' || status === 'FAILURE'
  await sql`
    update task set status = ${status}, progress = ${progress}, finished_at = ${isOver ? new Date() : null}
    where vendor_id = ${upstreamId}
  `.execute(db)
}

/** An image of one colour. */
const IMAGE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><rect width="640" height="400" fill="#0b6bcb"/></svg>'

/** Serves the images of the tasks; other hosts of these tests are unreachable. */
export async function serveImages(page: Page): Promise<void> {
  await page.route(/\/mj\/image\/|cdn\.example\/.*\.(png|jpg)/, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: IMAGE }),
  )
}
