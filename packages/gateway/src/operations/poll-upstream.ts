import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '@tidegate/contract'
import { parseJsonObject, type JsonObject } from '@tidegate/dialects'
import {
  checkStatus,
  FAILURES,
  type Operation,
  readJsonText,
  type Target,
  targetOf,
  upstreamRequest,
} from '@tidegate/providers'
import type { Ports } from '../ports/index.ts'
import type { Route } from '../route/route.ts'
import type { OperationRequest } from './operation-request.ts'

/** One attempt at one channel. */
export interface OperationAttempt {
  readonly request: OperationRequest
  readonly route: Route
  readonly operation: Operation
  readonly key: string
}

const DEADLINES = { firstByteMs: 30_000, idleMs: 30_000 }
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024

interface PollingDeps {
  readonly ports: Pick<Ports, 'upstream' | 'deadlines' | 'signing' | 'fetchMedia'>
  readonly signal: AbortSignal
  /** Headers of the client. */
  readonly client: IncomingHttpHeaders
}

/**
 * Polls a job at the provider until its result is ready. `submitted` is the response to the submission. Throws an
 * UpstreamFailure when the job fails.
 */
export function pollUpstream(
  { ports, signal, client }: PollingDeps,
  { route, operation, key, request: { body } }: OperationAttempt,
  submitted: JsonObject,
): Promise<JsonObject> {
  const target = targetFor(route, key)

  return operation.polling!.collect(submitted, {
    target,
    body: body.kind === 'json' ? body.json : {},
    async get(url) {
      const headers = { accept: 'application/json' }
      const request = await upstreamRequest(ports, route.channel, { target, url, method: 'GET', headers, client })
      const response = await ports.upstream.open({ ...request, signal, deadlines: DEADLINES })
      await checkStatus(response)
      const json = parseJsonObject(await readJsonText(response, MAX_RESPONSE_BYTES))
      if (!json) throw FAILURES.unreadable()
      return json
    },
    async fetch(url) {
      // A URL in a response is not trusted. It is checked like a client's.
      if (!ports.fetchMedia) throw FAILURES.undelivered()
      try {
        return Buffer.from((await ports.fetchMedia(url, signal)).data, 'base64')
      } catch (error) {
        throw error instanceof ApiError ? FAILURES.undelivered(error) : error
      }
    },
    async pause(milliseconds) {
      await wait(ports.deadlines?.pollMs ?? milliseconds, undefined, { signal }).catch(() => {
        throw FAILURES.aborted()
      })
    },
  })
}

/** The target of an operation. No provider knows the default model name of image requests. */
export function targetFor({ channel, model }: Route, key: string): Target {
  return targetOf(channel, { key, model: model === 'dall-e' ? 'dall-e-2' : model })
}
