import { createHash } from 'node:crypto'
import { asList, asJsonObject, type JsonObject } from '@tidegate/dialects'
import type { TaskSubmission, UpstreamTaskRequest } from '../../task.ts'
import { readUrl, readReason, readTaskId } from '../../task-fields.ts'
import { FAILURES, UpstreamFailure } from '../../upstream/failure.ts'
import { readTask } from './read-task.ts'

/** Result codes of a submission. */
const ACCEPTED = 1
const EXISTS = 21
const QUEUED = 22
/** Larger than any known code, and small enough for the database. */
const MAX_CODE = 99_999

/** HTTP statuses for codes that mean the same; all other codes are errors of the request. */
const STATUS_OF_CODE: ReadonlyMap<number, number> = new Map([
  [3, 401], // no account available: nothing works until the operator fixes it
  [23, 429], // queue is full
])

/** These actions open a dialog; the client sees by the code that it must respond. */
const KEEPS_EXISTS_CODE: ReadonlySet<string> = new Set(['INPAINT', 'CUSTOM_ZOOM'])

/** Reads the response to a submission: `{code, description, properties, result}`. */
export function readSubmission(body: JsonObject, request: UpstreamTaskRequest): TaskSubmission {
  const code = readCode(body.code)
  if (code === undefined) throw FAILURES.unreadable()
  if (!isAccepted(code, request)) throw rejection(code, body)
  if (request.action === 'UPLOAD' && code === ACCEPTED) return readUpload(body)
  const upstreamId = readTaskId(body.result)
  if (upstreamId === undefined) throw FAILURES.unreadable()
  return {
    upstreamId,
    code,
    body: { ...body, code: code === EXISTS && KEEPS_EXISTS_CODE.has(request.action) ? EXISTS : ACCEPTED },
    ...(code === EXISTS && { report: existingResult(upstreamId, body, request) }),
  }
}

function readCode(value: unknown): number | undefined {
  const code = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  return typeof code === 'number' && Number.isInteger(code) && Math.abs(code) <= MAX_CODE ? code : undefined
}

function isAccepted(code: number, { action }: UpstreamTaskRequest): boolean {
  return code === ACCEPTED || (action !== 'SWAP_FACE' && (code === EXISTS || code === QUEUED))
}

function rejection(code: number, { description }: JsonObject): UpstreamFailure {
  const message = readReason(description) ?? `The upstream rejected the task with code ${code}.`
  const status = STATUS_OF_CODE.get(code) ?? 400
  return new UpstreamFailure({
    kind: 'status',
    status,
    // As text, because numeric codes are not shown to clients.
    error: { message, type: 'upstream_error', param: '', code: String(code) },
  })
}

/** Uploads complete synchronously and return image URLs instead of a task id. */
function readUpload(body: JsonObject): TaskSubmission {
  const { result } = body
  const urls = (Array.isArray(result) ? asList(result) : [result]).map(readUrl)
  const imageUrl = urls.find((url) => url !== undefined)
  const upstreamId = imageUrl === undefined ? readTaskId(result) : uploadId(result)
  if (upstreamId === undefined) throw FAILURES.unreadable()
  const report = readTask({ ...completedTask(upstreamId, 'UPLOAD', body), imageUrl, result })
  return { upstreamId, code: ACCEPTED, body: { ...body, code: ACCEPTED }, report }
}

/** The same id for the same images, safe for paths, unlike a URL. */
function uploadId(result: unknown): string {
  return `upload-${createHash('sha256').update(JSON.stringify(result)).digest('hex').slice(0, 32)}`
}

/** The proxy has drawn this image before and returns its URL. */
function existingResult(upstreamId: string, body: JsonObject, { action }: UpstreamTaskRequest) {
  const properties = asJsonObject(body.properties)
  if (properties?.status !== 'SUCCESS') return undefined
  return readTask({ ...completedTask(upstreamId, action, body), imageUrl: properties.imageUrl })
}

/** A task in the format of later reports. */
function completedTask(id: string, action: string, { description, properties }: JsonObject): JsonObject {
  return { id, action, status: 'SUCCESS', progress: '100%', description, properties }
}
