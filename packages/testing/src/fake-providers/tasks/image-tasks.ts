import { randomInt } from 'node:crypto'
import type { FakeTask } from './task-store.ts'
import { idsOf, membersOf, textOf, type TaskRequest, type TaskProtocol } from './protocol.ts'

const SUBMIT = /^(?:\/[\w-]+)?\/mj\/(?:submit\/([\w-]+)|insight-face\/(swap))$/
const TASK = /^\/mj\/task\/([^/]+)\/(fetch|image-seed)$/
const SEED = '3141592653'

/** Actions by patterns of button ids. */
const BUTTONS: readonly [start: RegExp, action: string][] = [
  [/upsample/i, 'UPSCALE'],
  [/low_variation/i, 'LOW_VARIATION'],
  [/high_variation/i, 'HIGH_VARIATION'],
  [/variation/i, 'VARIATION'],
  [/pan_/i, 'PAN'],
  [/reroll/i, 'REROLL'],
  [/CustomZoom/i, 'CUSTOM_ZOOM'],
  [/Outpaint/i, 'ZOOM'],
  [/Inpaint/i, 'INPAINT'],
]

/** A Midjourney proxy: it has its own result codes and reports several tasks at once. */
export const imageProtocol: TaskProtocol = {
  kind: 'drawing',

  actionOf(request) {
    const { method, path, body } = request
    const [, submitted, swapped] = (method === 'POST' && SUBMIT.exec(path)) || []
    if (submitted || swapped) return { kind: 'submit', action: actionOf(submitted ?? 'swap', request) }
    if (method === 'POST' && path === '/mj/task/list-by-condition') return { kind: 'inquiry', ids: idsOf(body) }
    const [, id, verb] = (method === 'GET' && TASK.exec(path)) || []
    if (id === undefined) return undefined
    const name = decodeURIComponent(id)
    return verb === 'fetch' ? { kind: 'inquiry', ids: [name] } : { kind: 'seed', id: name }
  },

  keyOf: (headers) => textOf(headers['mj-api-secret']),
  newId: () => `${Date.now()}${randomInt(1_000_000, 10_000_000)}`,
  isAccepted: (code = 1) => [1, 21, 22].includes(Number(code)),

  submitResponse({ task, script, call: request, url }) {
    const { code = 1, description = task ? 'Submit success' : 'Rejected', properties = {} } = script
    if (!task) return { code, description, properties, result: null }
    if (task.action === 'UPLOAD') return { code, description, result: uploadsOf(request, task, url) }
    return { code, description, properties, result: task.id }
  },

  taskObject(task, url) {
    const { id, action, submission, status, progress } = task
    const prompt = textOf(submission.prompt)
    return {
      id,
      action,
      customId: submission.customId ?? '',
      botType: submission.botType ?? 'MID_JOURNEY',
      prompt,
      promptEn: prompt,
      description: `/${action.toLowerCase()} ${prompt}`,
      state: submission.state ?? '',
      submitTime: task.submittedAt,
      startTime: task.startedAt,
      finishTime: task.finishedAt,
      imageUrl: task.imageUrl ?? (status === 'SUCCESS' ? `${url}/images/${encodeURIComponent(id)}.png` : ''),
      status,
      progress: `${progress}%`,
      failReason: task.failReason,
      buttons: status === 'SUCCESS' ? buttonsOf(id) : [],
      maskBase64: '',
      properties: { finalPrompt: prompt },
      ...task.fields,
    }
  },

  pollResponse(tasks, { method }, url) {
    const objects = tasks.map((task) => imageProtocol.taskObject(task, url))
    return method === 'POST' ? objects : objects[0]
  },

  errorBody: (_status, message) => ({ message }),
}

/** Response with the seed of an image. */
export function seedResponse(task: FakeTask | undefined): object {
  return task
    ? { code: 1, description: 'success', result: SEED }
    : { code: 3, description: 'no such task', result: null }
}

function actionOf(submitted: string, { body }: TaskRequest): string {
  const submission = membersOf(body)
  switch (submitted) {
    case 'swap':
      return 'SWAP_FACE'
    case 'upload-discord-images':
      return 'UPLOAD'
    case 'change':
      return textOf(submission.action)
    case 'simple-change':
      return (
        { U: 'UPSCALE', V: 'VARIATION', R: 'REROLL' }[/ ([UVR])\d?$/.exec(textOf(submission.content))?.[1] ?? ''] ?? ''
      )
    case 'action':
      return BUTTONS.find(([start]) => start.test(textOf(submission.customId)))?.[1] ?? ''
    default:
      return submitted.toUpperCase()
  }
}

function uploadsOf({ body }: TaskRequest, { id }: FakeTask, url: string): string[] {
  const { base64Array } = membersOf(body)
  const pictures: readonly unknown[] = Array.isArray(base64Array) ? base64Array : [undefined]
  return pictures.map((_, index) => `${url}/images/${encodeURIComponent(id)}-${index}.png`)
}

function buttonsOf(id: string): object[] {
  const button = (label: string, action: string) => ({
    customId: `MJ::JOB::${action}::${id}`,
    emoji: '',
    label,
    type: 2,
    style: 2,
  })
  return [button('U1', 'upsample::1'), button('V1', 'variation::1'), button('', 'reroll::0')]
}
