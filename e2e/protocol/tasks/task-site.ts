import { api } from '@tidegate/contract'
import {
  addChannel,
  addToken,
  apiClient,
  type ApiClient,
  fakeTaskVendor,
  type FakeTaskVendor,
  type RunningServer,
  setUpSite,
} from '@tidegate/testing'
import { sql } from 'kysely'
import { verifyBooks } from '../../proof/books.ts'
import { openSite, type Site } from '../../proof/site.ts'

/** What everything here costs: 0.1 USD, at 500 000 to the dollar. */
export const PRICE = 50_000
export const TOKEN_QUOTA = 1_000_000

export interface TaskSite {
  readonly site: Site
  server: RunningServer
  readonly vendor: FakeTaskVendor
  readonly root: ApiClient
  readonly userId: number
  /** A call of the data plane with a limited token of the super admin. */
  send(path: string, body?: unknown, headers?: Record<string, string>): Promise<TaskAnswer>
  setOption(key: string, value: string): Promise<void>
  /** What is left of the token, wherever it is at the moment. */
  tokenQuota(): Promise<number>
  tasks(): Promise<TaskFacts[]>
  /** Tasks that were taken and whose price is not in the books yet. */
  unpaid(): Promise<number>
  close(): Promise<string>
}

export interface TaskAnswer {
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  json: any
}

export interface TaskFacts {
  id: number
  kind: string
  vendor_id: string
  status: string
  progress: number
  action: string
  code: number
  quota: number
  charged: number
  refunded: boolean
  fail_reason: string
  channel_id: number
  request_id: string
}

const DRAWING_MODELS =
  'mj_imagine,mj_describe,mj_blend,mj_shorten,mj_upscale,mj_variation,mj_reroll,mj_modal,mj_inpaint,mj_zoom,mj_upload,swap_face'

/** A site with one vendor behind a channel for drawings, one for songs and one for videos. */
export async function openTaskSite(env: Record<string, string> = {}): Promise<TaskSite> {
  const vendor = await fakeTaskVendor()
  const site = await openSite()
  const start = () => site.start({ env: { TIDEGATE_ALLOW_PRIVATE_FETCHES: 'true', ...env } })
  const server = await start()
  const root = apiClient(server.url)
  const user = await setUpSite(root)
  const at = { url: vendor.url }
  await addChannel(root, at, { type: 5, name: 'drawings', key: vendor.key, models: DRAWING_MODELS })
  await addChannel(root, at, { type: 36, name: 'songs', key: vendor.key, models: 'suno_music,suno_lyrics' })
  await addChannel(root, at, { type: 1, name: 'videos', key: vendor.key, models: 'sora-2' })
  await root.call(api.updateOption, { body: { key: 'ServerAddress', value: server.url } })
  const token = await addToken(root, { unlimited_quota: false, remain_quota: TOKEN_QUOTA })

  const opened: TaskSite = {
    site,
    server,
    vendor,
    root,
    userId: user.id,
    async send(path, body, headers = {}) {
      const response = await fetch(opened.server.url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${token.secret}`,
          ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = (response.headers.get('content-type') ?? '').includes('json')
      return { status: response.status, headers: response.headers, json: isJson ? JSON.parse(text) : text }
    },
    async setOption(key, value) {
      await root.call(api.updateOption, { body: { key, value } })
    },
    async tokenQuota() {
      const { rows } = await sql<{ quota: number }>`
        select t.remain_quota + coalesce((select sum(amount) from credit_lease where token_id = t.id), 0)::bigint as quota
        from token t where t.id = ${token.id}`.execute(site.database.db)
      return rows[0]!.quota
    },
    async tasks() {
      const { rows } = await sql<TaskFacts>`
        select id, kind, vendor_id, status, progress, action, code, quota, charged, refunded_at is not null as refunded,
          fail_reason, channel_id, request_id
        from task order by id`.execute(site.database.db)
      return rows
    },
    async unpaid() {
      return (await opened.tasks()).filter((task) => task.vendor_id !== '' && task.charged < task.quota).length
    },
    async close() {
      await opened.server.stop()
      const books = await verifyBooks(site.env, site.dataDirectory)
      await site.close()
      await vendor.close()
      return books
    },
  }
  return opened
}
