import { randomUUID } from 'node:crypto'
import type { FakeTask } from './task-store.ts'
import { bearerOf, idsOf, textOf, type TaskProtocol } from './protocol.ts'

const SUBMIT = /^\/suno\/submit\/(\w+)$/
const FETCH = /^\/suno\/fetch\/([^/]+)$/

/** A Suno proxy for songs and lyrics. Times are in seconds. */
export const musicProtocol: TaskProtocol = {
  kind: 'music',

  actionOf({ method, path, body }) {
    const action = method === 'POST' ? SUBMIT.exec(path)?.[1] : undefined
    if (action) return { kind: 'submit', action: action.toUpperCase() }
    if (method === 'POST' && path === '/suno/fetch') return { kind: 'inquiry', ids: idsOf(body) }
    const id = method === 'GET' ? FETCH.exec(path)?.[1] : undefined
    return id === undefined ? undefined : { kind: 'inquiry', ids: [decodeURIComponent(id)] }
  },

  keyOf: bearerOf,
  newId: () => randomUUID(),
  isAccepted: (code = 'success') => code === 'success',

  submitResponse: ({ task, script: { code = 'success', description } }) =>
    task
      ? { code, message: description ?? '', data: task.id }
      : { code, message: description ?? 'rejected', data: null },

  taskObject: (task, url) => ({
    task_id: task.id,
    action: task.action,
    status: task.status,
    fail_reason: task.failReason,
    submit_time: seconds(task.submittedAt),
    start_time: seconds(task.startedAt),
    finish_time: seconds(task.finishedAt),
    progress: `${task.progress}%`,
    data: task.data ?? (task.status === 'SUCCESS' ? madeOf(task, url) : null),
    ...task.fields,
  }),

  pollResponse(tasks, { method }, url) {
    const objects = tasks.map((task) => musicProtocol.taskObject(task, url))
    if (method === 'GET' && objects.length === 0)
      return { code: 'task_not_exist', message: 'task_not_exist', data: null }
    return { code: 'success', message: '', data: method === 'POST' ? objects : objects[0] }
  },

  errorBody: (status, message) => ({ code: String(status), message, data: null }),
}

function madeOf({ id, action, submission }: FakeTask, url: string): unknown {
  const title = textOf(submission.title) || 'Gates'
  if (action === 'LYRICS') return { id, title, text: 'the tide comes in\nthe gate stays shut', status: 'complete' }
  return ['one', 'two'].map((take) => ({
    id: `${id}-${take}`,
    title,
    status: 'complete',
    audio_url: `${url}/songs/${encodeURIComponent(id)}-${take}.mp3`,
    image_url: `${url}/images/${encodeURIComponent(id)}-${take}.png`,
    duration: 120,
    metadata: { tags: submission.tags ?? '', prompt: submission.prompt ?? '' },
  }))
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
