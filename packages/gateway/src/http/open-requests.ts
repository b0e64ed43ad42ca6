import type { ApiError } from '@tidegate/contract'
import type { ApiRequest } from './api-request.ts'
import type { Log } from '../ports/index.ts'
import { sendError } from './error-response.ts'

/** Names whose access changed, as change notifications do. */
export interface AccessChange {
  readonly userId?: number | undefined
  readonly tokenHash?: string | undefined
}

/** Calls whose credentials are checked at the same time when all are. */
const CHECKED_AT_ONCE = 20

/** The calls that are running. Cuts those whose credential is no longer accepted. */
export class OpenRequests {
  readonly #open = new Map<ApiRequest, Promise<void>>()
  readonly #log: Log
  #isChecking = false

  constructor(log: Log) {
    this.#log = log
  }

  get size(): number {
    return this.#open.size
  }

  /** Counts a call as open until it is over. */
  async follow(incoming: ApiRequest, done: Promise<void>): Promise<void> {
    this.#open.set(incoming, done)
    try {
      await done
    } finally {
      this.#open.delete(incoming)
    }
  }

  /** Checks the calls of a user or of a token again. */
  async recheck({ userId, tokenHash }: AccessChange): Promise<void> {
    const isMeant = ({ access }: ApiRequest) =>
      (userId !== undefined && access?.userId === userId) ||
      (tokenHash !== undefined && access?.tokenHash === tokenHash)
    await this.#check(this.#known().filter(isMeant))
  }

  /** Checks every call again: change notifications may have been missed. */
  async recheckAll(): Promise<void> {
    const calls = this.#known()
    if (this.#isChecking) return
    this.#isChecking = true
    try {
      while (calls.length > 0 && (await this.#check(calls.splice(0, CHECKED_AT_ONCE))));
    } finally {
      this.#isChecking = false
    }
  }

  stop(): void {
    for (const incoming of this.#open.keys()) incoming.stop()
  }

  async ended(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open.values())
  }

  /** The calls that are authenticated. The others check themselves as soon as they are. */
  #known(): ApiRequest[] {
    const known: ApiRequest[] = []
    for (const incoming of this.#open.keys()) {
      if (incoming.access) known.push(incoming)
      else incoming.needsRecheck = true
    }
    return known
  }

  /** False when the credentials cannot be checked now: the next round does it. */
  async #check(calls: readonly ApiRequest[]): Promise<boolean> {
    const checks = await Promise.allSettled(
      calls.map(async (incoming) => {
        const failure = await incoming.access?.check()
        if (failure && this.#open.has(incoming)) cut(incoming, failure)
      }),
    )
    const failed = checks.find((check) => check.status === 'rejected')
    if (failed) this.#log.warn({ err: failed.reason, event: 'access.recheck_failed' }, 'access recheck failed')
    return !failed
  }
}

/**
 * Tells the client why, in its protocol where that has a way, and ends the call as if the client had left: the provider is
 * not read further than for its usage, and what was used is billed.
 */
function cut(incoming: ApiRequest, failure: ApiError): void {
  if (incoming.signal.aborted) return
  const { writer, endpoint } = incoming
  // Sound and files have no place for an error.
  if (writer.streaming && endpoint.kind !== 'conversation') writer.cut()
  else if (!writer.detached) sendError(incoming, failure)
  writer.leave()
  incoming.revoke(failure)
}
