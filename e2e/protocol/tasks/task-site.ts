import {
  addChannel,
  addToken,
  type ApiClient,
  type DatabaseConnection,
  fakeTaskProvider,
  type FakeTaskProvider,
} from '@tidegate/testing'
import { sql } from 'kysely'

/** The price of everything here: 0.1 USD, at 500,000 per dollar. */
export const PRICE = 50_000
export const TOKEN_QUOTA = 1_000_000

/** Where tasks are submitted, and by whom. */
export interface TaskBase {
  readonly url: string
  readonly db: DatabaseConnection['db']
  readonly admin: ApiClient
  readonly client: ApiClient
  setOption(key: 'ServerAddress', value: string): Promise<void>
}

export interface TaskSite {
  /** Changes when the server is restarted. */
  url: string
  readonly provider: FakeTaskProvider
  /** Sends a data-plane request with a limited token. */
  send(path: string, body?: unknown, headers?: Record<string, string>): Promise<TaskResponse>
  /** The remaining quota of the token, leases included. */
  tokenQuota(): Promise<number>
  /** The tasks of the client's user. */
  tasks(): Promise<TaskFacts[]>
  /** Accepted tasks whose price is not settled yet. */
  unpaid(): Promise<number>
}

export interface TaskResponse {
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of every shape
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

const IMAGE_TASK_MODELS =
  'mj_imagine,mj_describe,mj_blend,mj_shorten,mj_upscale,mj_variation,mj_reroll,mj_modal,mj_inpaint,mj_zoom,mj_upload,swap_face'

/** Adds one fake provider with channels for images, songs and videos. */
export async function openTaskSite({ url, db, admin, client, setOption }: TaskBase): Promise<TaskSite> {
  const provider = await fakeTaskProvider()
  const at = { url: provider.url }
  await addChannel(admin, at, { type: 5, name: 'images', key: provider.key, models: IMAGE_TASK_MODELS })
  await addChannel(admin, at, { type: 36, name: 'songs', key: provider.key, models: 'suno_music,suno_lyrics' })
  await addChannel(admin, at, { type: 1, name: 'videos', key: provider.key, models: 'sora-2,sora-2-pro' })
  await setOption('ServerAddress', url)
  const token = await addToken(client, { unlimited_quota: false, remain_quota: TOKEN_QUOTA })

  const opened: TaskSite = {
    url,
    provider,
    async send(path, body, headers = {}) {
      const response = await fetch(opened.url + path, {
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
    async tokenQuota() {
      const { rows } = await sql<{ quota: number }>`
        select t.remain_quota + coalesce((select sum(amount) from credit_lease where token_id = t.id), 0)::bigint as quota
        from token t where t.id = ${token.id}`.execute(db)
      return rows[0]!.quota
    },
    async tasks() {
      const { rows } = await sql<TaskFacts>`
        select id, kind, vendor_id, status, progress, action, code, quota, charged, refunded_at is not null as refunded,
          fail_reason, channel_id, request_id
        from task where user_id = ${client.userId} order by id`.execute(db)
      return rows
    },
    async unpaid() {
      return (await opened.tasks()).filter((task) => task.vendor_id !== '' && task.charged < task.quota).length
    },
  }
  return opened
}
