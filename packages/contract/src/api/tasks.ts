import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { pageFields, readPage } from '../paging.ts'
import { Id, OptionalInteger, OptionalText, Quota, UnixSeconds } from '../values.ts'

/** Status of a task. It only moves down this list; the last two are final. */
export const TASK_STATUSES = [
  '',
  'NOT_START',
  'SUBMITTED',
  'QUEUED',
  'UNKNOWN',
  'IN_PROGRESS',
  'MODAL',
  'SUCCESS',
  'FAILURE',
] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

/** Result code of a provider for a submitted image task; 0 if it was never submitted. */
export const DRAWING_CODE = { notSubmitted: 0, submitted: 1, waiting: 21, duplicate: 22 } as const

const Milliseconds = z.int()

const common = {
  id: Id,
  user_id: z.int(),
  /** Blank for ordinary users. */
  username: z.string(),
  /** 0 for ordinary users. */
  channel_id: z.int(),
  /** Blank for ordinary users. */
  channel_name: z.string(),
  action: z.string(),
  status: z.string(),
  /** Such as `35%`. */
  progress: z.string(),
  fail_reason: z.string(),
  /** Price of the task; refunded if it failed. */
  quota: Quota,
  refunded: z.boolean(),
}

/** Image tasks. Times are milliseconds since 1970, 0 if not set. */
export const DrawingTask = z.object({
  ...common,
  mj_id: z.string(),
  code: z.int(),
  prompt: z.string(),
  prompt_en: z.string(),
  description: z.string(),
  /** URL of the image on this site, or the provider's URL if the site does not proxy it. */
  image_url: z.string(),
  submit_time: Milliseconds,
  start_time: Milliseconds,
  finish_time: Milliseconds,
})
export type DrawingTask = z.output<typeof DrawingTask>

/** Music and video tasks. Times are seconds since 1970, 0 if not set. */
export const MediaTask = z.object({
  ...common,
  task_id: z.string(),
  /** `suno` or `video`. */
  platform: z.string(),
  created_at: UnixSeconds,
  updated_at: UnixSeconds,
  submit_time: UnixSeconds,
  start_time: UnixSeconds,
  finish_time: UnixSeconds,
  /** Parameters of the request. */
  properties: z.record(z.string(), z.unknown()),
  /**
   * Last result of the provider: a list of songs with `audio_url`, `image_url`, `title`, `duration`, or its own format.
   */
  data: z.unknown(),
})
export type MediaTask = z.output<typeof MediaTask>

const paging = { base: 0 } as const
const times = { start_timestamp: OptionalInteger, end_timestamp: OptionalInteger }

const imageFilters = { mj_id: OptionalText, ...times }
const mediaFilters = {
  task_id: OptionalText,
  platform: OptionalText,
  action: OptionalText,
  status: OptionalText,
  ...times,
}
const ofChannel = { channel_id: OptionalInteger }

function pagedQuery<Filters extends z.ZodRawShape>(filters: Filters) {
  return z
    .object({ ...filters, ...pageFields(paging) })
    .partial()
    .transform((query) => ({ filters: z.object(filters).partial().parse(query), page: readPage(query, paging) }))
}

export const listDrawings = endpoint({
  method: 'GET',
  path: '/api/mj',
  access: 'admin',
  summary: 'Lists image tasks of all users, newest first. Times are in milliseconds; `X-Total-Count` has the total.',
  query: pagedQuery({ ...imageFilters, ...ofChannel }),
  reply: z.array(DrawingTask),
  errors: ['page_too_deep'],
})

export const listOwnDrawings = endpoint({
  method: 'GET',
  path: '/api/mj/self',
  access: 'user',
  summary: 'Lists your image tasks, newest first, without channel fields.',
  query: pagedQuery(imageFilters),
  reply: z.array(DrawingTask),
  errors: ['page_too_deep'],
})

export const listMediaTasks = endpoint({
  method: 'GET',
  path: '/api/task',
  access: 'admin',
  summary:
    'Lists music and video tasks of all users, newest first. Times are in seconds; `X-Total-Count` has the total.',
  query: pagedQuery({ ...mediaFilters, ...ofChannel }),
  reply: z.array(MediaTask),
  errors: ['page_too_deep'],
})

export const listOwnMediaTasks = endpoint({
  method: 'GET',
  path: '/api/task/self',
  access: 'user',
  summary: 'Lists your music and video tasks, newest first, without channel fields.',
  query: pagedQuery(mediaFilters),
  reply: z.array(MediaTask),
  errors: ['page_too_deep'],
})
