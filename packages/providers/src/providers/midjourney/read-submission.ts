import { createHash } from 'node:crypto'
import { asList, asJsonObject, type JsonObject } from '@tidegate/dialects'
import type { TakenOrder, TaskOrder } from '../../task.ts'
import { readAddress, readReason, readTaskId } from '../../task-fields.ts'
import { FAILURES, UpstreamFailure } from '../../upstream/failure.ts'
import { readTask } from './read-task.ts'

/** How the proxy took an order. */
const TAKEN = 1
const EXISTS = 21
const QUEUED = 22
/** Far above any there is, and fit to be stored. */
const LARGEST_CODE = 99_999

/** What would have been answered by a vendor that tells by statuses; all else is refused for what was asked. */
const STATUS_OF_CODE: ReadonlyMap<number, number> = new Map([
  [3, 401], // no account to draw with: nothing sent here will be drawn until the operator sees to it
  [23, 429], // its queue is full
])

/** They open a dialogue, and their client sees by the code that it is still to be answered. */
const KEEPS_EXISTS: ReadonlySet<string> = new Set(['INPAINT', 'CUSTOM_ZOOM'])

/** What came back to an order: `{code, description, properties, result}`. */
export function readOrder(answer: JsonObject, order: TaskOrder): TakenOrder {
  const code = readCode(answer.code)
  if (code === undefined) throw FAILURES.unreadable()
  if (!isTaken(code, order)) throw refused(code, answer)
  if (order.action === 'UPLOAD' && code === TAKEN) return uploaded(answer)
  const vendorId = readTaskId(answer.result)
  if (vendorId === undefined) throw FAILURES.unreadable()
  return {
    vendorId,
    code,
    answer: { ...answer, code: code === EXISTS && KEEPS_EXISTS.has(order.action) ? EXISTS : TAKEN },
    ...(code === EXISTS && { news: finishedBefore(vendorId, answer, order) }),
  }
}

function readCode(value: unknown): number | undefined {
  const code = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  return typeof code === 'number' && Number.isInteger(code) && Math.abs(code) <= LARGEST_CODE ? code : undefined
}

function isTaken(code: number, { action }: TaskOrder): boolean {
  return code === TAKEN || (action !== 'SWAP_FACE' && (code === EXISTS || code === QUEUED))
}

function refused(code: number, { description }: JsonObject): UpstreamFailure {
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
function uploaded(answer: JsonObject): TakenOrder {
  const { result } = answer
  const addresses = (Array.isArray(result) ? asList(result) : [result]).map(readAddress)
  const imageUrl = addresses.find((address) => address !== undefined)
  const vendorId = imageUrl === undefined ? readTaskId(result) : nameFor(result)
  if (vendorId === undefined) throw FAILURES.unreadable()
  const news = readTask({ ...finishedTask(vendorId, 'UPLOAD', answer), imageUrl, result })
  return { vendorId, code: TAKEN, answer: { ...answer, code: TAKEN }, news }
}

/** The same for the same pictures, and fit for a path, which an address is not. */
function nameFor(result: unknown): string {
  return `upload-${createHash('sha256').update(JSON.stringify(result)).digest('hex').slice(0, 32)}`
}

/** The proxy has drawn this before, and says so where it can show it. */
function finishedBefore(vendorId: string, answer: JsonObject, { action }: TaskOrder) {
  const properties = asJsonObject(answer.properties)
  if (properties?.status !== 'SUCCESS') return undefined
  return readTask({ ...finishedTask(vendorId, action, answer), imageUrl: properties.imageUrl })
}

/** A task in the words it would be told of later. */
function finishedTask(id: string, action: string, { description, properties }: JsonObject): JsonObject {
  return { id, action, status: 'SUCCESS', progress: '100%', description, properties }
}
