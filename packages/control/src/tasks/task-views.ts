import type { api, Settings } from '@tidegate/contract'
import { taskToken, type TaskListRow } from '@tidegate/storage'

/** Administrators see user and channel, owners do not. */
export type Audience = 'administrator' | 'owner'

type ImageSettings = Pick<Settings, 'MjForwardUrlEnabled' | 'ServerAddress'>

export function imageTaskView(row: TaskListRow, audience: Audience, settings: ImageSettings): api.DrawingTask {
  return {
    ...commonView(row, audience),
    mj_id: row.vendor_id,
    code: row.code,
    prompt: row.prompt,
    prompt_en: textIn(row.data, 'promptEn'),
    description: textIn(row.data, 'description'),
    image_url: imageAddress(row, settings),
    submit_time: milliseconds(row.submitted_at),
    start_time: milliseconds(row.started_at),
    finish_time: milliseconds(row.finished_at),
  }
}

export function mediaView(row: TaskListRow, audience: Audience): api.MediaTask {
  return {
    ...commonView(row, audience),
    task_id: row.vendor_id,
    platform: platformOf(row.kind),
    created_at: seconds(row.submitted_at),
    updated_at: seconds(row.updated_at),
    submit_time: seconds(row.submitted_at),
    start_time: seconds(row.started_at),
    finish_time: seconds(row.finished_at),
    properties: row.properties,
    data: row.data,
  }
}

/** Platforms of the media list with their task kinds. */
const KIND_OF = { suno: 'music', video: 'video' } as const

export const MEDIA_KINDS: readonly string[] = Object.values(KIND_OF)

/** Task kind of a platform; undefined for unknown ones. */
export function kindOf(platform: string): string | undefined {
  return new Map<string, string>(Object.entries(KIND_OF)).get(platform)
}

function platformOf(kind: string): string {
  return Object.entries(KIND_OF).find(([, known]) => known === kind)?.[0] ?? ''
}

function commonView(row: TaskListRow, audience: Audience) {
  const isOwner = audience === 'owner'
  return {
    id: row.id,
    user_id: row.user_id,
    username: isOwner ? '' : (row.username ?? ''),
    channel_id: isOwner ? 0 : row.channel_id,
    channel_name: isOwner ? '' : (row.channel_name ?? ''),
    action: row.action,
    status: row.status,
    progress: `${row.progress}%`,
    fail_reason: row.fail_reason,
    quota: row.quota,
    refunded: row.refunded_at !== null,
  }
}

/** Proxied images need a key in the URL, because image requests have no session. */
function imageAddress(row: TaskListRow, { MjForwardUrlEnabled, ServerAddress }: ImageSettings): string {
  if (!MjForwardUrlEnabled || row.result_url === '' || row.vendor_id === '') return row.result_url
  const path = `/mj/image/${encodeURIComponent(row.vendor_id)}?key=${taskToken(row.secret, 'view')}`
  return ServerAddress + path
}

/** Provider data can have any type. */
function textIn(data: unknown, name: string): string {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, name)) return ''
  const value = (data as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

function milliseconds(time: Date | null): number {
  return time?.getTime() ?? 0
}

function seconds(time: Date | null): number {
  return Math.floor(milliseconds(time) / 1000)
}
