import type { Settings } from '@tidegate/contract'
import type { JsonObject } from '@tidegate/dialects'
import type { TaskKind } from '@tidegate/providers'
import type { FormBody } from '../http/form-body.ts'
import { type JsonBody, requireField } from '../http/read-body.ts'
import type { StoredTask } from '../ports/index.ts'
import { midjourneyBody, readMidjourney, viewMidjourney } from './midjourney-format.ts'
import { musicBody, readMusic, readVideo, viewMusic, viewVideo } from './media-format.ts'
import { type TaskRequest } from './task-request.ts'

interface SubmittedTask {
  readonly path: string
  readonly of?: string
  readonly body: JsonBody | FormBody
}

/** The differences between kinds of tasks. A new kind needs an entry here, and a provider that supports it. */
export interface TaskRules {
  /** Accepts multipart forms too. */
  readonly acceptsForms: boolean
  /** A task that is not finished by then has failed. */
  readonly deadlineMs: number
  /** The delay of the first poll. */
  readonly firstPollMs: number
  read(submission: SubmittedTask): Omit<TaskRequest, 'task' | 'path' | 'body'>
  /** The body for a provider, with its model name and a callback URL. */
  write(
    body: JsonObject,
    options: { action: string; model: string; settings: Settings; callback: string | undefined },
  ): JsonObject
  view(task: StoredTask, settings: Settings): object
}

const MINUTE = 60_000

export const TASK_RULES: Readonly<Record<TaskKind, TaskRules>> = {
  drawing: {
    acceptsForms: false,
    deadlineMs: 60 * MINUTE,
    firstPollMs: 3_000,
    read: ({ path, body }) => ({ properties: {}, ...readMidjourney(path, objectOf(body)) }),
    write: (body, { settings, callback }) => midjourneyBody(body, settings, callback),
    view: (task, settings) => viewMidjourney(task, settings),
  },
  music: {
    acceptsForms: false,
    deadlineMs: 60 * MINUTE,
    firstPollMs: 5_000,
    read: ({ path, body }) => readMusic(path, objectOf(body)),
    write: (body, { action }) => musicBody(body, action),
    view: viewMusic,
  },
  video: {
    acceptsForms: true,
    deadlineMs: 6 * 60 * MINUTE,
    firstPollMs: 5_000,
    read: ({ of, body }) => readVideo(body, of),
    // A remix is billed by its source: the request must not change its length or size.
    write: (body, { action, model }) => (action === 'REMIX' ? { prompt: body.prompt } : { ...body, model }),
    view: viewVideo,
  },
}

function objectOf(body: JsonBody | FormBody): JsonObject {
  requireField(body.kind === 'json', 'the body must be JSON')
  return body.json
}
