import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '@tidegate/contract'
import { parseJsonObject, type JsonObject } from '@tidegate/dialects'
import {
  failureFromAnswer,
  FAILURES,
  overrideHeaders,
  providerOf,
  readJsonText,
  type Target,
  type UpstreamRequest,
} from '@tidegate/providers'
import { targetOf } from '../dispatch/upstream-request.ts'
import type { Ports } from '../ports/index.ts'
import type { Route } from '../route/route.ts'
import type { OperationAttempt } from './send-operation.ts'

const DEADLINES = { firstByteMs: 30_000, idleMs: 30_000 }
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024

interface UpstreamJob {
  /** What the provider said to the order. */
  readonly receipt: JsonObject
  readonly request: Pick<UpstreamRequest, 'proxy'>
}

/** Waits with the provider's own patience for what was ordered. Throws an UpstreamFailure when it does not come. */
export function pollUpstream(
  { ports, signal }: { ports: Pick<Ports, 'upstream' | 'deadlines' | 'fetchMedia'>; signal: AbortSignal },
  { route, operation, key, request: { body } }: OperationAttempt,
  { receipt, request: { proxy } }: UpstreamJob,
): Promise<JsonObject> {
  const target = targetFor(route, key)

  return operation.order!.collect(receipt, {
    target,
    body: body.kind === 'json' ? body.tree : {},
    async ask(url) {
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
        throw failureFromAnswer(response.status, text, response.headers)
      const tree = parseJsonObject(text)
      if (!tree) throw FAILURES.unreadable()
      return tree
    },
    async fetch(url) {
      // An address in an answer is nobody's choice: it is looked at like one of a client.
      if (!ports.fetchMedia) throw FAILURES.undelivered()
      try {
        return Buffer.from((await ports.fetchMedia(url, signal)).data, 'base64')
      } catch (error) {
        throw error instanceof ApiError ? FAILURES.undelivered(error) : error
      }
    },
    async pause(milliseconds) {
      await wait(ports.deadlines?.lookMs ?? milliseconds, undefined, { signal }).catch(() => {
        throw FAILURES.aborted()
      })
    },
  })
}

/** Where an operation goes; a name we stand in with where the client gave none is one that no provider knows. */
export function targetFor({ channel, model }: Route, key: string): Target {
  return targetOf(channel, { key, model: model === 'dall-e' ? 'dall-e-2' : model })
}
