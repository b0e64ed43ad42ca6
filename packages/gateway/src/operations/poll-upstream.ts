import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '@tidegate/contract'
import { parseJsonObject, type JsonObject } from '@tidegate/dialects'
import {
  failureFromResponse,
  FAILURES,
  type Operation,
  overrideHeaders,
  providerOf,
  readJsonText,
  type Target,
  type UpstreamRequest,
} from '@tidegate/providers'
import { targetOf } from '../dispatch/upstream-request.ts'
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

interface UpstreamJob {
  /** The provider's response to the submission. */
  readonly submitted: JsonObject
  readonly request: Pick<UpstreamRequest, 'proxy'>
}

/** Polls a job at the provider until its result is ready. Throws an UpstreamFailure when it fails. */
export function pollUpstream(
  { ports, signal }: { ports: Pick<Ports, 'upstream' | 'deadlines' | 'fetchMedia'>; signal: AbortSignal },
  { route, operation, key, request: { body } }: OperationAttempt,
  { submitted, request: { proxy } }: UpstreamJob,
): Promise<JsonObject> {
  const target = targetFor(route, key)

  return operation.polling!.collect(submitted, {
    target,
    body: body.kind === 'json' ? body.json : {},
    async get(url) {
      const response = await ports.upstream.open({
        url,
        method: 'GET',
        headers: overrideHeaders(
          {
            accept: 'application/json',
            'accept-encoding': 'identity',
            'user-agent': 'tidegate',
            ...providerOf(route.channel.type).authorize(target),
          },
          route.channel.headerOverride,
          { key },
        ),
        signal,
        proxy,
        deadlines: DEADLINES,
      })
      const text = await readJsonText(response, MAX_RESPONSE_BYTES)
      if (response.status < 200 || response.status > 299)
        throw failureFromResponse(response.status, text, response.headers)
      const json = parseJsonObject(text)
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
