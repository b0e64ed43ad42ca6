import { randomBytes } from 'node:crypto'
import { bearerOf, textOf, type TaskRequest, type TaskProtocol } from './protocol.ts'

const VIDEO = /^\/v1\/videos\/([^/]+)(?:\/(remix|content))?$/

const STATUSES: Readonly<Record<string, string>> = {
  NOT_START: 'queued',
  SUBMITTED: 'queued',
  QUEUED: 'queued',
  IN_PROGRESS: 'in_progress',
  MODAL: 'in_progress',
  SUCCESS: 'completed',
  FAILURE: 'failed',
  CANCEL: 'failed',
}

/** OpenAI's videos: submitted as JSON or form, polled one by one. */
export const videoProtocol: TaskProtocol = {
  kind: 'video',

  actionOf({ method, path }) {
    if (method === 'POST' && path === '/v1/videos') return { kind: 'submit', action: 'GENERATE' }
    const [, name, verb] = VIDEO.exec(path) ?? []
    if (name === undefined) return undefined
    const id = decodeURIComponent(name)
    if (method === 'POST' && verb === 'remix') return { kind: 'submit', action: 'REMIX', about: id }
    if (method !== 'GET' || verb === 'remix') return undefined
    return verb === 'content' ? { kind: 'content', id } : { kind: 'inquiry', ids: [id] }
  },

  keyOf: bearerOf,
  newId: () => `video_${randomBytes(16).toString('hex')}`,
  // Errors have a status only, no result code.
  isAccepted: () => true,
  submitResponse: ({ task, url }) => task && videoProtocol.taskObject(task, url),

  taskObject: (task) => ({
    id: task.id,
    object: 'video',
    model: textOf(task.submission.model) || 'sora-2',
    status: STATUSES[task.status],
    progress: task.progress,
    created_at: Math.floor(task.submittedAt / 1000),
    completed_at: task.status === 'SUCCESS' ? Math.floor(task.finishedAt / 1000) : null,
    seconds: textOf(task.submission.seconds) || '4',
    size: textOf(task.submission.size) || '720x1280',
    prompt: textOf(task.submission.prompt),
    error: STATUSES[task.status] === 'failed' ? { code: 'video_failed', message: task.failReason } : null,
    ...task.fields,
  }),

  pollResponse: ([task], _call, url) => task && videoProtocol.taskObject(task, url),

  errorBody: (status, message) => ({
    error: { message, type: status >= 500 ? 'server_error' : 'invalid_request_error', param: null, code: null },
  }),
}

/** The short fields of a form. */
export function formFields({ rawBody, headers }: TaskRequest): Record<string, string> {
  if (!headers['content-type']?.startsWith('multipart/form-data')) return {}
  const fields = rawBody.toString('utf8').matchAll(/name="(\w+)"\r\n\r\n([^\r\n]*)\r\n/g)
  return Object.fromEntries([...fields].map(([, name, value]) => [name!, value!]))
}
