import { type ApiError, type Log, logEvent } from '@tidegate/contract'
import type { ApiRequest } from './api-request.ts'
import { sendError } from './error-response.ts'

/** Identifies whose access changed, as in change notifications. */
export interface AccessChange {
  readonly userId?: number | undefined
  readonly tokenHash?: string | undefined
}

/** How many credentials are checked at the same time. */
const CHECKED_AT_ONCE = 20

/** The running requests. Ends those whose credential is no longer accepted. */
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

  /** Counts a request as open until it ends. */
  async track(incoming: ApiRequest, done: Promise<void>): Promise<void> {
    this.#open.set(incoming, done)
    try {
      await done
    } finally {
      this.#open.delete(incoming)
    }
  }

  /** Rechecks the requests of a user or a token. */
  async recheck({ userId, tokenHash }: AccessChange): Promise<void> {
    const isAffected = ({ access }: ApiRequest) =>
      (userId !== undefined && access?.userId === userId) ||
      (tokenHash !== undefined && access?.tokenHash === tokenHash)
    await this.#check(this.#listAuthenticated().filter(isAffected))
  }

  /** Rechecks every request: change notifications may have been missed. */
  async recheckAll(): Promise<void> {
    const requests = this.#listAuthenticated()
    if (this.#isChecking) return
    this.#isChecking = true
    try {
      while (requests.length > 0 && (await this.#check(requests.splice(0, CHECKED_AT_ONCE))));
    } finally {
      this.#isChecking = false
    }
  }

  stop(): void {
    for (const incoming of this.#open.keys()) incoming.stop()
  }

  async waitForEnd(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open.values())
  }

  /** The authenticated requests. The others check themselves after authentication. */
  #listAuthenticated(): ApiRequest[] {
    const authenticated: ApiRequest[] = []
    for (const incoming of this.#open.keys()) {
      if (incoming.access) authenticated.push(incoming)
      else incoming.needsRecheck = true
    }
    return authenticated
  }

  /** Returns false when the credentials cannot be checked now. The next round tries again. */
  async #check(requests: readonly ApiRequest[]): Promise<boolean> {
    const checks = await Promise.allSettled(
      requests.map(async (incoming) => {
        const failure = await incoming.access?.check()
        if (failure && this.#open.has(incoming)) endRevoked(incoming, failure)
      }),
    )
    const failed = checks.find((check) => check.status === 'rejected')
    if (failed) logEvent(this.#log, 'access.recheck_failed', { err: failed.reason })
    return !failed
  }
}

/**
 * Sends the error, if the protocol allows it now, and ends the request as if the client had disconnected: the
 * provider's response is read only to learn the usage, and the usage is billed.
 */
function endRevoked(incoming: ApiRequest, failure: ApiError): void {
  if (incoming.isAborted) return
  const { writer, endpoint } = incoming
  // Audio and files cannot contain an error.
  if (writer.streaming && endpoint.kind !== 'chat') writer.cut()
  else if (!writer.detached) sendError(incoming, failure)
  writer.abandon()
  incoming.revoke(failure)
}
