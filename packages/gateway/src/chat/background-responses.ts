import { ApiError, logEvent, type Settings } from '@tidegate/contract'
import type { JsonObject } from '@tidegate/dialects'
import type { ApiRequest } from '../http/api-request.ts'
import { EventWriter } from '../http/event-writer.ts'
import type { Caller, Ports, RequestOutcome, ResponseStore } from '../ports/index.ts'
import { BackgroundEvents, type EventLog } from './background-events.ts'
import type { ResponseTurn } from './response-turn.ts'
import { contentOf, draftOf } from './store-response.ts'
import { turnFormat } from './turn-format.ts'

interface BackgroundTurn {
  readonly turn: ResponseTurn
  readonly incoming: ApiRequest
  readonly caller: Pick<Caller, 'userId'>
  readonly settings: Pick<Settings, 'StoredResponseDays'>
}

/** A response of a process that ended is shown as failed after this time. */
const LEASE_MS = 60_000
const PING_EVERY_MS = 15_000
/** How long a cancellation takes at most that another process received. */
const RENEW_MS = 5_000

/** Responses that this process generates without their clients. */
export class BackgroundResponses {
  readonly #store: ResponseStore
  readonly #ports: Pick<Ports, 'now' | 'log'>
  readonly #running = new Map<string, { readonly userId: number; readonly id: string; readonly incoming: ApiRequest }>()
  #timer: NodeJS.Timeout | undefined

  constructor(store: ResponseStore, ports: Pick<Ports, 'now' | 'log'>) {
    this.#store = store
    this.#ports = ports
  }

  /** Responds to the client at once, and serves the admitted request. It counts as open until it ends. */
  async run(
    { turn, incoming, caller: { userId }, settings }: BackgroundTurn,
    serve: () => Promise<RequestOutcome>,
  ): Promise<RequestOutcome> {
    const { startedAt, requestId } = incoming
    const format = turnFormat(turn.sent.dialect)
    const draft = draftOf({ turn, userId, settings, startedAt, id: format.idOf(requestId) })
    const { input, echo } = contentOf(turn)
    const createdAt = Math.floor(startedAt / 1000)
    const head = format.withoutOutput({ id: draft.id, model: turn.sent.model, createdAt })
    const queued = { ...head, status: 'queued', ...echo }
    const save = (response: JsonObject) => ({ ...draft, content: () => ({ input: format.readInput(input), response }) })
    await this.#store.begin(save(queued), this.#leaseEnd())
    const events = turn.sent.stream
      ? await this.#openStream({ incoming, userId, id: draft.id, format: format.events }, queued, echo)
      : undefined
    if (!events) incoming.writer.sendJson(200, queued)
    this.#add({ userId, id: draft.id, incoming })
    let failure: unknown
    try {
      const outcome = await serve()
      if (outcome === 'served') return outcome
      failure = incoming.isAborted ? undefined : outcome
      return outcome
    } catch (error) {
      failure = error
      throw error
    } finally {
      this.#remove(draft.id)
      const failed = { ...queued, status: 'failed', ...format.failure(errorOf(failure)) }
      const isOver = failure === undefined && !incoming.isAborted
      // Read first: a cancelled response stays cancelled.
      const end = events && !isOver ? await this.#endOf(userId, draft.id, failed) : failed
      if (!isOver) this.#store.save(save(failed))
      await events?.finish(end)
    }
  }

  /** The client receives the events until it leaves. They are stored, so that it can resume. */
  async #openStream(
    { incoming, ...stream }: Pick<EventLog, 'userId' | 'id' | 'format'> & { readonly incoming: ApiRequest },
    queued: JsonObject,
    echo: JsonObject,
  ): Promise<BackgroundEvents> {
    const identity = { ...echo, id: stream.id }
    const events = new BackgroundEvents({ ...stream, store: this.#store, log: this.#ports.log, identity })
    const client = incoming.continueWithoutClient(new EventWriter(events))
    client.keepAlive({ frame: incoming.dialect.pingFrame, everyMs: PING_EVERY_MS, firstMs: PING_EVERY_MS })
    await events.begin(client, queued)
    return events
  }

  async #endOf(userId: number, id: string, failed: JsonObject): Promise<JsonObject> {
    const stored = await this.#store.find(userId, id).catch(() => undefined)
    return stored?.status === 'cancelled' ? stored.response : failed
  }

  /** Ends the response, wherever it runs. What was generated is billed. */
  async cancel(userId: number, id: string): Promise<void> {
    await this.#store.cancel(userId, id)
    const running = this.#running.get(id)
    if (running?.userId === userId) running.incoming.clientDisconnected()
  }

  #add(running: { userId: number; id: string; incoming: ApiRequest }): void {
    this.#running.set(running.id, running)
    this.#timer ??= setInterval(() => void this.#renew(), RENEW_MS).unref()
  }

  #remove(id: string): void {
    this.#running.delete(id)
    if (this.#running.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #renew(): Promise<void> {
    const renewed = [...this.#running.values()]
    try {
      const kept = new Set(await this.#store.renew(renewed, this.#leaseEnd()))
      for (const { id, incoming } of renewed) {
        if (!kept.has(id) && this.#running.has(id)) incoming.clientDisconnected()
      }
    } catch (error) {
      logEvent(this.#ports.log, 'response.lease_not_renewed', { err: error, responses: renewed.length })
    }
  }

  #leaseEnd(): Date {
    return new Date(this.#ports.now() + LEASE_MS)
  }
}

function errorOf(failure: unknown): { code: string; message: string } {
  const message = failure instanceof Error ? failure.message : 'The response was interrupted. Send the request again.'
  return { code: failure instanceof ApiError ? failure.code : 'server_error', message }
}
