import { createHash } from 'node:crypto'
import { asList, asJsonObject, type JsonObject } from '@tidegate/dialects'
import type { TakenOrder, TaskOrder } from '../../task.ts'
import { readUrl, readReason, readTaskId } from '../../task-fields.ts'
import { FAILURES, UpstreamFailure } from '../../upstream/failure.ts'
import { readTask } from './read-task.ts'

/** How the proxy took an order. */
const ACCEPTED = 1
const EXISTS = 21
const QUEUED = 22
/** Far above any there is, and fit to be stored. */
const MAX_CODE = 99_999

/** What would have been answered by a vendor that tells by statuses; all else is refused for what was asked. */
const STATUS_OF_CODE: ReadonlyMap<number, number> = new Map([
  [3, 401], // no account to draw with: nothing sent here will be drawn until the operator sees to it
  [23, 429], // its queue is full
])

/** They open a dialogue, and their client sees by the code that it is still to be answered. */
const KEEPS_EXISTS_CODE: ReadonlySet<string> = new Set(['INPAINT', 'CUSTOM_ZOOM'])

/** What came back to an order: `{code, description, properties, result}`. */
export function readSubmission(body: JsonObject, request: TaskOrder): TakenOrder {
  const code = readCode(body.code)
  if (code === undefined) throw FAILURES.unreadable()
  if (!isAccepted(code, request)) throw rejection(code, body)
  if (request.action === 'UPLOAD' && code === ACCEPTED) return readUpload(body)
  const vendorId = readTaskId(body.result)
  if (vendorId === undefined) throw FAILURES.unreadable()
  return {
    vendorId,
    code,
    answer: { ...body, code: code === EXISTS && KEEPS_EXISTS_CODE.has(request.action) ? EXISTS : ACCEPTED },
    ...(code === EXISTS && { news: existingResult(vendorId, body, request) }),
  }
}

function readCode(value: unknown): number | undefined {
  const code = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  return typeof code === 'number' && Number.isInteger(code) && Math.abs(code) <= MAX_CODE ? code : undefined
}

function isAccepted(code: number, { action }: TaskOrder): boolean {
  return code === ACCEPTED || (action !== 'SWAP_FACE' && (code === EXISTS || code === QUEUED))
}

function rejection(code: number, { description }: JsonObject): UpstreamFailure {
  const message = readReason(description) ?? `The upstream refused the order with code ${code}.`
  const status = STATUS_OF_CODE.get(code) ?? 400
  return new UpstreamFailure({
    kind: 'status',
    status,
    // As text, for a code that is only a number is not told to clients.
    error: { message, type: 'upstream_error', param: '', code: String(code) },
  })
}

/** Pictures are taken over while the caller waits, and come back as their addresses instead of a name. */
function readUpload(body: JsonObject): TakenOrder {
  const { result } = body
  const urls = (Array.isArray(result) ? asList(result) : [result]).map(readUrl)
  const imageUrl = urls.find((url) => url !== undefined)
  const vendorId = imageUrl === undefined ? readTaskId(result) : uploadId(result)
  if (vendorId === undefined) throw FAILURES.unreadable()
  const news = readTask({ ...completedTask(vendorId, 'UPLOAD', body), imageUrl, result })
  return { vendorId, code: ACCEPTED, answer: { ...body, code: ACCEPTED }, news }
}

/** The same for the same pictures, and fit for a path, which an address is not. */
function uploadId(result: unknown): string {
  return `upload-${createHash('sha256').update(JSON.stringify(result)).digest('hex').slice(0, 32)}`
}

/** The proxy has drawn this before, and says so where it can show it. */
function existingResult(vendorId: string, body: JsonObject, { action }: TaskOrder) {
  const properties = asJsonObject(body.properties)
  if (properties?.status !== 'SUCCESS') return undefined
  return readTask({ ...completedTask(vendorId, action, body), imageUrl: properties.imageUrl })
}

/** A task in the words it would be told of later. */
function completedTask(id: string, action: string, { description, properties }: JsonObject): JsonObject {
  return { id, action, status: 'SUCCESS', progress: '100%', description, properties }
}
