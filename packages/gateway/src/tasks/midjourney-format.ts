import type { Settings } from '@tidegate/contract'
import { asJsonObject, asList, asText, type JsonObject } from '@tidegate/dialects'
import { requireField } from '../http/read-body.ts'
import type { StoredTask } from '../ports/index.ts'
import type { TaskRequest } from './task-request.ts'

type TaskFields = Pick<TaskRequest, 'action' | 'model' | 'prompt' | 'pieces' | 'parent'>
type MidjourneySettings = Pick<Settings, 'MjAccountFilterEnabled' | 'MjModeClearEnabled' | 'MjNotifyEnabled'>

/** Reads a submission of an image task by the end of its path. */
export function readMidjourney(path: string, body: JsonObject): TaskFields {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const prompt = asText(body.prompt)
  switch (name) {
    case 'imagine':
      requireField(prompt.trim() !== '', 'prompt is required')
      return taskFields('IMAGINE', prompt)
    case 'describe':
      return taskFields('DESCRIBE', prompt)
    case 'blend':
      requireField(asList(body.base64Array).length > 0, 'base64Array is required')
      return taskFields('BLEND', prompt)
    case 'shorten':
      requireField(prompt.trim() !== '', 'prompt is required')
      return taskFields('SHORTEN', prompt)
    case 'upload-discord-images':
      return taskFields('UPLOAD', prompt)
    case 'swap':
      requireField(asText(body.sourceBase64) !== '', 'sourceBase64 is required')
      requireField(asText(body.targetBase64) !== '', 'targetBase64 is required')
      return { ...taskFields('SWAP_FACE', prompt), model: 'swap_face' }
    case 'change':
      return readChange(body)
    case 'simple-change':
      return readSimpleChange(asText(body.content))
    case 'action':
      return followUpFields(actionOf(asText(body.customId)), taskIdOf(body), prompt)
    default:
      return followUpFields('MODAL', taskIdOf(body), prompt)
  }
}

/** Billed with the modal request that follows them. */
const FREE = new Set(['INPAINT', 'CUSTOM_ZOOM'])

function taskFields(action: string, prompt: string): TaskFields {
  return { action, model: `mj_${action.toLowerCase()}`, prompt, pieces: 1 }
}

function followUpFields(action: string, upstreamId: string, prompt: string): TaskFields {
  requireField(upstreamId !== '', 'taskId is required')
  const parent = { upstreamId, mustBeDone: action !== 'MODAL' }
  return { ...taskFields(action, prompt), pieces: FREE.has(action) ? 0 : 1, parent }
}

function readChange(body: JsonObject): TaskFields {
  const action = asText(body.action).toUpperCase()
  requireField(['UPSCALE', 'VARIATION', 'REROLL'].includes(action), 'action must be UPSCALE, VARIATION or REROLL')
  const index = Number(body.index)
  requireField(
    action === 'REROLL' || (Number.isInteger(index) && index >= 1 && index <= 4),
    'index must be from 1 to 4',
  )
  return followUpFields(action, taskIdOf(body), '')
}

const CHANGES: Readonly<Record<string, string>> = { U: 'UPSCALE', V: 'VARIATION', R: 'REROLL' }

function readSimpleChange(content: string): TaskFields {
  const [, upstreamId = '', letter = ''] = /^\s*(\S+)\s+(?:([UV])[1-4]|R)\s*$/i.exec(content) ?? []
  requireField(upstreamId !== '', 'content must be a task and one of U1 to U4, V1 to V4 or R')
  return followUpFields(CHANGES[letter.toUpperCase()] ?? 'REROLL', upstreamId, '')
}

/** In order: a low variation is also a variation. */
const BUTTONS: readonly (readonly [RegExp, string])[] = [
  [/low_/, 'LOW_VARIATION'],
  [/high_/, 'HIGH_VARIATION'],
  [/upsample/, 'UPSCALE'],
  [/variation/, 'VARIATION'],
  [/pan/, 'PAN'],
  [/reroll/, 'REROLL'],
  [/Outpaint/, 'ZOOM'],
  [/CustomZoom/, 'CUSTOM_ZOOM'],
  [/Inpaint/, 'INPAINT'],
]

/** The action of a button below an image, by its id. */
function actionOf(customId: string): string {
  requireField(customId !== '', 'customId is required')
  const action = BUTTONS.find(([pattern]) => pattern.test(customId))?.[1]
  requireField(action, 'customId is not one of a known button')
  return action
}

function taskIdOf(body: JsonObject): string {
  return typeof body.taskId === 'number' ? String(body.taskId) : asText(body.taskId).trim()
}

/** The body for the provider: without fields that the operator disabled, and with a callback URL. */
export function midjourneyBody(
  body: JsonObject,
  settings: MidjourneySettings,
  callback: string | undefined,
): JsonObject {
  const { accountFilter, notifyHook, ...rest } = body
  const hook = asText(notifyHook) || callback
  return {
    ...rest,
    ...(typeof rest.prompt === 'string' && settings.MjModeClearEnabled && { prompt: withoutModes(rest.prompt) }),
    ...(settings.MjAccountFilterEnabled && accountFilter !== undefined && { accountFilter }),
    ...(settings.MjNotifyEnabled && hook && { notifyHook: hook }),
  }
}

function withoutModes(prompt: string): string {
  return prompt.replace(/\s*--(fast|relax|turbo)(?=\s|$)/gi, '').trim()
}

type ImageUrlSettings = Pick<Settings, 'MjForwardUrlEnabled' | 'ServerAddress'>

/** An image task in the format of Midjourney proxies. */
export function viewMidjourney(task: StoredTask, settings: ImageUrlSettings, random = Math.random): object {
  const data = asJsonObject(task.data) ?? {}
  return {
    id: task.upstreamId,
    action: task.action,
    customId: data.customId ?? '',
    botType: data.botType ?? '',
    prompt: task.prompt,
    promptEn: data.promptEn ?? '',
    description: data.description ?? '',
    state: data.state ?? '',
    submitTime: task.submittedAt.getTime(),
    startTime: task.startedAt?.getTime() ?? 0,
    finishTime: task.finishedAt?.getTime() ?? 0,
    imageUrl: imageAddress(task, settings, random),
    status: task.status,
    progress: `${task.progress}%`,
    failReason: task.failReason,
    buttons: data.buttons ?? [],
    maskBase64: data.maskBase64 ?? '',
    properties: data.properties ?? {},
  }
}

/**
 * The gateway's URL where it hides the provider's. Until the image is finished each response has another URL, so that
 * no old image is cached.
 */
function imageAddress(
  task: StoredTask,
  { MjForwardUrlEnabled, ServerAddress }: ImageUrlSettings,
  random: () => number,
) {
  if (task.resultUrl === '' || !MjForwardUrlEnabled) return task.resultUrl
  const address = `${ServerAddress}/mj/image/${encodeURIComponent(task.upstreamId)}?key=${task.viewToken}`
  return task.status === 'SUCCESS' ? address : `${address}&rand=${Math.floor(random() * 1e9)}`
}
