import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '@tidegate/contract'
import { UpstreamFailure } from '@tidegate/providers'
import { checkAccess } from './admit/check-access.ts'
import { authenticate } from './authenticate/authenticate.ts'
import { createKeyRing } from './dispatch/key-ring.ts'
import { receiveCall, type Call } from './ingress/call.ts'
import { allowAnyOrigin } from './ingress/cors.ts'
import { isAnthropicClient, readCredential } from './ingress/credential.ts'
import { findEndpoint, isGatewayPath, type Endpoint } from './ingress/endpoints.ts'
import { findModel, listModels, listModelsForAnthropic } from './models/list-models.ts'
import type { CallOutcome, Ports } from './ports.ts'
import { refuse } from './refuse.ts'
import { relay } from './relay.ts'

export interface Gateway {
  /** Whether a URL is one of the data plane. */
  matches(url: string): boolean
  /** Answers one request. Never throws: what goes wrong is answered, and logged when it is our fault. */
  handle(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void>
  openCalls(): number
  /** Resolves when no call is left. Calls still open at the deadline are ended, settled for what they produced. */
  drain(deadlineMs: number): Promise<void>
}

/** The data plane over plain HTTP objects. */
export function createGateway(ports: Ports): Gateway {
  const keys = createKeyRing()
  const open = new Map<Call, Promise<void>>()

  async function serve(call: Call, endpoint: Endpoint): Promise<CallOutcome> {
    const { method = '', url = '' } = call.request
    if (endpoint.kind === 'chat') return relay(ports, keys, call)
    if (endpoint.kind === 'not-implemented') throw new Refusal('api_not_implemented')
    if (endpoint.kind === 'unknown') throw new Refusal('not_found', { method, path: url.replace(/[?#].*$/, '') })

    const catalog = ports.catalog()
    const caller = await authenticate(ports, readCredential(call.request.headers))
    const group = checkAccess(caller, call.clientAddress, catalog.settings)
    const list = isAnthropicClient(call.request.headers) ? listModelsForAnthropic : listModels
    const body =
      endpoint.kind === 'list-models' ? list(catalog, caller, group) : findModel(catalog, caller, group, endpoint.model)
    call.reply.sendJson(200, body)
    return 'served'
  }

  async function answer(call: Call, endpoint: Endpoint): Promise<void> {
    let status = 200
    let outcome: CallOutcome
    try {
      outcome = await serve(call, endpoint)
    } catch (error) {
      const failed = fail(call, error)
      status = failed.status
      outcome = failed.outcome
    }
    ports.observe?.({ kind: 'call', outcome, status, milliseconds: ports.now() - call.startedAt })
  }

  function fail(call: Call, error: unknown): { status: number; outcome: CallOutcome } {
    if (call.reply.gone) return { status: 499, outcome: 'client-gone' }
    // Not gone, yet aborted: the process is stopping.
    const { status } = refuse(call, call.signal.aborted ? new Refusal('service_unavailable') : error)
    if (error instanceof UpstreamFailure) return { status, outcome: 'failed' }
    if (status >= 500) ports.log.error({ err: error, requestId: call.requestId }, 'a call could not be served')
    return { status, outcome: 'refused' }
  }

  return {
    matches: isGatewayPath,
    async handle(request, response, requestId) {
      response.setHeader('x-request-id', requestId)
      allowAnyOrigin(request, response)
      if (response.writableEnded) return
      const call = receiveCall(ports, request, response, requestId)
      const done = answer(call, findEndpoint(request.method ?? '', request.url ?? ''))
      open.set(call, done)
      try {
        await done
      } finally {
        open.delete(call)
      }
    },
    openCalls: () => open.size,
    async drain(deadlineMs) {
      const timer = setTimeout(() => {
        for (const call of open.keys()) call.stop()
      }, deadlineMs)
      while (open.size > 0) await Promise.allSettled(open.values())
      clearTimeout(timer)
    },
  }
}
