import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { ApiError, logEvent, stripNul, type Log } from '@tidegate/contract'
import {
  itemsById,
  type NewResponse,
  type ResponseContent,
  type ResponseLocation,
  type ResponseStatus,
  type ResponseStore,
  type StoredEvents,
  type StoredItem,
  type StoredResponse,
} from '@tidegate/gateway'
import {
  responseEvents,
  storedResponses,
  writeBehind,
  type Db,
  type NewStoredResponse,
  type SealPurpose,
  type QueueMetrics,
  type StoredResponseRow,
  type Vault,
} from '@tidegate/storage'

interface ResponseStoreDeps {
  /** For queries that a client waits for. */
  readonly db: Db
  /** For writes. */
  readonly recordsDb: Db
  readonly vault: Pick<Vault, 'seal' | 'open'>
  readonly log: Log
}

interface RunningResponseStore extends ResponseStore {
  metrics(): QueueMetrics
  /** Writes what is queued. */
  stop(): Promise<void>
}

/** Responses wait in memory only while they are written, or while the database does not respond. */
const WRITE_EVERY_MS = 50
const MAX_WAITING = 5_000
const MAX_WAITING_BYTES = 64 * 1024 * 1024
/** Larger responses are not stored. */
const MAX_CONTENT_LENGTH = 4 * 1024 * 1024
/** Another process may be writing the response that a client continues at once. */
const SECOND_LOOK_MS = 250

const LOST = { code: 'server_error', message: 'The process that generated the response ended. Send the request again.' }

const deflate = promisify(deflateRaw)
const inflate = promisify<Buffer, Buffer>(inflateRaw)

/** Stores responses in the database, compressed and encrypted. */
export function createResponseStore({ db, recordsDb, vault, log }: ResponseStoreDeps): RunningResponseStore {
  const waiting = new Map<string, NewResponse>()
  let waitingBytes = 0
  let dropped = 0
  const queue = writeBehind<NewResponse>({
    name: 'stored responses',
    log,
    everyMs: WRITE_EVERY_MS,
    max: Infinity,
    write,
  })

  async function write(responses: readonly NewResponse[]): Promise<void> {
    // A provider may send an id twice. One statement cannot change a row twice.
    const latest = new Map(responses.map((response) => [keyOf(response), response]))
    const rows = (await Promise.all([...latest.values()].map(toRow))).filter((row) => row !== undefined)
    await storedResponses.put(recordsDb, rows).catch(async (error: unknown) => {
      if (!isRejected(error)) throw error
      for (const row of rows) await putAlone(row)
    })
    for (const response of responses) {
      waitingBytes -= response.bytes
      if (waiting.get(keyOf(response)) === response) waiting.delete(keyOf(response))
    }
  }

  /** One row must not keep the others from being stored: its user may be deleted. */
  async function putAlone(row: NewStoredResponse): Promise<void> {
    try {
      await storedResponses.put(recordsDb, [row])
    } catch (error) {
      if (!isRejected(error)) throw error
      notStored(row.id, error)
    }
  }

  async function toRow(response: NewResponse): Promise<NewStoredResponse | undefined> {
    const { userId, id, account } = response
    try {
      const content = response.content()
      const text = content && JSON.stringify(content)
      if (!text) return undefined
      if (text.length > MAX_CONTENT_LENGTH) return notStored(id, new Error('the response is too large'))
      return {
        user_id: userId,
        id,
        previous_id: response.previousId ?? null,
        thread: response.thread,
        status: statusOf(content),
        channel_id: account?.channelId ?? null,
        key_id: account?.keyId ?? null,
        routed: account?.routed ?? null,
        item_ids: itemsOf(content).map(([itemId]) => itemId),
        sealed: await sealText(vault, 'stored-response', keyOf(response), text),
        created_at: response.createdAt,
        expires_at: response.expiresAt,
        lease_until: null,
      }
    } catch (error) {
      return notStored(id, error)
    }
  }

  function notStored(responseId: string, error: unknown): undefined {
    dropped += 1
    logEvent(log, 'response.not_stored', { err: error, responseId })
  }

  async function open(userId: number, { id, sealed }: { id: string; sealed: string }): Promise<ResponseContent> {
    return (await openJson(vault, 'stored-response', keyOf({ userId, id }), sealed)) as ResponseContent
  }

  async function toResponse(userId: number, row: StoredResponseRow): Promise<StoredResponse> {
    const { input, response } = await open(userId, row)
    const isLost = row.lease_until !== null && row.lease_until < new Date()
    const status = isLost ? 'failed' : (row.status as ResponseStatus)
    // The object may have a status that responses do not have. A row that differs was changed since.
    const isUnchanged = status === statusOf({ input, response })
    return {
      id: row.id,
      previousId: row.previous_id ?? undefined,
      status,
      input,
      response: { ...response, ...(!isUnchanged && { status }), ...(isLost && { error: LOST }) },
    }
  }

  const findWaiting = (userId: number, id: string) => waiting.get(keyOf({ userId, id }))

  return {
    save(response) {
      if (waiting.size >= MAX_WAITING || waitingBytes + response.bytes > MAX_WAITING_BYTES) {
        return notStored(response.id, new Error('too many responses wait for the database'))
      }
      waitingBytes += response.bytes
      waiting.set(keyOf(response), response)
      queue.add(response)
    },

    async begin(response, leaseUntil) {
      const row = await toRow(response)
      if (!row) throw new ApiError('service_unavailable')
      await storedResponses.put(db, [{ ...row, lease_until: leaseUntil }])
    },
    renew: (running, leaseUntil) => storedResponses.renew(db, running, leaseUntil),
    cancel: (userId, id) => storedResponses.cancel(db, userId, id),

    async addEvents(userId, id, { first, events }) {
      const context = eventContext({ userId, id, first })
      await responseEvents.insert(recordsDb, {
        user_id: userId,
        response_id: id,
        first_number: first,
        last_number: first + events.length - 1,
        sealed: await sealText(vault, 'stored-response-event', context, JSON.stringify(events)),
      })
    },
    async findEvents(userId, id, after) {
      const rows = await responseEvents.listAfter(db, { userId, id, after })
      const toEvents = async ({ first_number: first, sealed }: (typeof rows)[number]): Promise<StoredEvents> => {
        const events = await openJson(vault, 'stored-response-event', eventContext({ userId, id, first }), sealed)
        return { first, events: events as StoredEvents['events'] }
      }
      return Promise.all(rows.map(toEvents))
    },

    async locate(userId, id) {
      const unwritten = findWaiting(userId, id)
      if (unwritten) return { ...unwritten, status: unwrittenResponse(unwritten)?.status ?? 'completed' }
      const row =
        (await storedResponses.locate(db, userId, id)) ??
        (await delay(SECOND_LOOK_MS).then(() => storedResponses.locate(db, userId, id)))
      return row && toLocation(row)
    },

    async find(userId, id) {
      const unwritten = findWaiting(userId, id)
      if (unwritten) return unwrittenResponse(unwritten)
      const row = await storedResponses.find(db, userId, id)
      return row && toResponse(userId, row)
    },

    async findThread(userId, id) {
      const unwritten: StoredResponse[] = []
      let next: string | undefined = id
      for (let response; next !== undefined && (response = findWaiting(userId, next)); next = response.previousId) {
        const content = unwrittenResponse(response)
        if (content) unwritten.unshift(content)
      }
      const rows = next === undefined ? [] : await storedResponses.findThread(db, userId, next)
      return [...(await Promise.all(rows.map((row) => toResponse(userId, row)))), ...unwritten]
    },

    async findItems(userId, ids) {
      const found = new Map<string, StoredItem>()
      const add = (content: ResponseContent, location: ResponseLocation) => {
        for (const [id, item] of itemsOf(content)) if (!found.has(id)) found.set(id, { item, location })
      }
      for (const response of waiting.values()) {
        const content = response.userId === userId ? unwrittenResponse(response) : undefined
        if (content) add(content, { ...response, status: content.status })
      }
      const missing = ids.filter((id) => !found.has(id))
      const rows = missing.length === 0 ? [] : await storedResponses.findByItems(db, userId, missing)
      for (const row of rows) add(await open(userId, row), toLocation(row))
      return new Map([...found].filter(([id]) => ids.includes(id)))
    },

    async remove(userId, id) {
      await queue.flush()
      return storedResponses.remove(db, userId, id)
    },

    metrics: () => ({ waiting: waiting.size, dropped }),
    stop: queue.stop,
  }
}

function eventContext({ userId, id, first }: { userId: number; id: string; first: number }): string {
  return `${userId}:${id}:${first}`
}

function toLocation(row: NonNullable<Awaited<ReturnType<typeof storedResponses.locate>>>): ResponseLocation {
  const { user_id: userId, id, thread, status, channel_id: channelId, key_id: keyId, routed } = row
  return {
    userId,
    id,
    thread,
    status: status as ResponseStatus,
    ...(channelId !== null && keyId !== null && routed !== null && { account: { channelId, keyId, routed } }),
  }
}

function unwrittenResponse(response: NewResponse): StoredResponse | undefined {
  const content = response.content()
  return content && { id: response.id, previousId: response.previousId, status: statusOf(content), ...content }
}

const STATUSES = new Set<unknown>(['queued', 'in_progress', 'completed', 'failed', 'cancelled', 'incomplete'])

function statusOf({ response: { status } }: ResponseContent): ResponseStatus {
  return STATUSES.has(status) ? (status as ResponseStatus) : 'completed'
}

/** Items that a request can reference. PostgreSQL rejects NUL in text. */
function itemsOf({ input, response: { object, output } }: ResponseContent) {
  if (object === 'interaction') return [] // its steps have no ids
  const items = itemsById([...input, ...(Array.isArray(output) ? (output as unknown[]) : [])])
  return [...items].filter(([id]) => stripNul(id) === id)
}

function keyOf({ userId, id }: Pick<NewResponse, 'userId' | 'id'>): string {
  return `${userId}:${id}`
}

/** Whether the database does not accept the data: the same statement would fail again. */
function isRejected(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))
}

/** Compresses a text, then encrypts it. */
export async function sealText(
  vault: Pick<Vault, 'seal'>,
  purpose: SealPurpose,
  context: string,
  text: string,
): Promise<string> {
  return vault.seal(purpose, context, (await deflate(text)).toString('base64'))
}

export async function openJson(
  vault: Pick<Vault, 'open'>,
  purpose: SealPurpose,
  context: string,
  sealed: string,
): Promise<unknown> {
  const packed = Buffer.from(vault.open(purpose, context, sealed), 'base64')
  return JSON.parse((await inflate(packed)).toString('utf8'))
}
