import { asJsonObject, asText, type JsonObject } from '@tidegate/dialects'
import { fieldOf, type FormBody } from '../http/form-body.ts'
import { requireField, type JsonBody } from '../http/read-body.ts'
import type { StoredTask } from '../ports/index.ts'
import type { TaskRequest } from './task-request.ts'

type TaskFields = Pick<TaskRequest, 'action' | 'model' | 'prompt' | 'pieces' | 'parent' | 'properties'>

/** The fields of a music request that are stored with the task. */
const MUSIC_FIELDS = ['mv', 'title', 'tags', 'continue_at', 'continue_clip_id', 'make_instrumental']

export function readMusic(path: string, body: JsonObject): TaskFields {
  const action = path.endsWith('/LYRICS') ? 'LYRICS' : 'MUSIC'
  const prompt = asText(body.prompt) || asText(body.gpt_description_prompt)
  requireField(action === 'MUSIC' || asText(body.prompt) !== '', 'prompt is required')
  const continues = asText(body.continue_clip_id) !== ''
  const upstreamId = asText(body.task_id)
  requireField(!continues || upstreamId !== '', 'task_id is required with continue_clip_id')
  return {
    action,
    model: `suno_${action.toLowerCase()}`,
    prompt,
    pieces: 1,
    properties: Object.fromEntries(MUSIC_FIELDS.filter((name) => name in body).map((name) => [name, body[name]])),
    ...(continues && { parent: { upstreamId, mustBeDone: false } }),
  }
}

/** The body for a music provider, with a default model. */
export function musicBody(body: JsonObject, action: string): JsonObject {
  return action === 'MUSIC' && asText(body.mv) === '' ? { ...body, mv: 'chirp-v3-0' } : body
}

const MAX_SECONDS = 60
/** The size of a video whose request names none. */
const DEFAULT_SIZE = '720x1280'

/** A video is billed by the second, at the price of its size. A remix has the length and the size of its source. */
export function readVideo(body: JsonBody | FormBody, of: string | undefined): TaskFields {
  const field = (name: string) => (body.kind === 'form' ? fieldOf(body, name) : textOf(body.json[name])) ?? ''
  const prompt = field('prompt')
  requireField(prompt.trim() !== '', 'prompt is required')
  const seconds = Number(field('seconds') || 4)
  requireField(
    Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_SECONDS,
    `seconds must be a whole number from 1 to ${MAX_SECONDS}`,
  )
  const size = field('size') || DEFAULT_SIZE
  const resolution = field('resolution')
  return {
    action: of === undefined ? 'GENERATE' : 'REMIX',
    model: field('model') || 'sora-2',
    prompt,
    pieces: seconds,
    properties: { seconds, size, ...(resolution && { resolution }) },
    ...(of !== undefined && { parent: { upstreamId: of, mustBeDone: true } }),
  }
}

/** The provider may use either field. */
export function videoSizes({ size, resolution }: TaskRequest['properties']): string[] {
  return [size, resolution].map(asText).filter((name) => name !== '')
}

function textOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : asText(value)
}

/** A music task in the format of the Suno API. */
export function viewMusic(task: StoredTask): object {
  return {
    task_id: task.upstreamId,
    action: task.action,
    status: task.status,
    fail_reason: task.failReason,
    submit_time: seconds(task.submittedAt),
    start_time: seconds(task.startedAt),
    finish_time: seconds(task.finishedAt),
    progress: `${task.progress}%`,
    data: task.data,
  }
}

const VIDEO_STATUSES: Readonly<Record<string, string>> = {
  SUCCESS: 'completed',
  FAILURE: 'failed',
  IN_PROGRESS: 'in_progress',
}

/** A video in OpenAI's format: the provider's last response, overridden by the stored state. */
export function viewVideo(task: StoredTask): object {
  const status = VIDEO_STATUSES[task.status] ?? 'queued'
  return {
    model: task.model,
    created_at: seconds(task.submittedAt),
    ...(task.properties['size'] !== undefined && { size: task.properties['size'] }),
    ...(typeof task.properties['seconds'] === 'number' && { seconds: String(task.properties['seconds']) }),
    ...asJsonObject(task.data),
    id: task.upstreamId,
    object: 'video',
    status,
    progress: task.progress,
    ...(status === 'completed' && { completed_at: seconds(task.finishedAt) }),
    error: status === 'failed' ? { code: 'video_generation_failed', message: task.failReason } : null,
  }
}

function seconds(time: Date | null): number {
  return time === null ? 0 : Math.floor(time.getTime() / 1000)
}
