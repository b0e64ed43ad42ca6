import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '@tidegate/contract'
import { UpstreamFailure } from '@tidegate/providers'
import { checkAccess } from './admit/check-access.ts'
import { authenticate } from './authenticate/authenticate.ts'
import { createHealth, type ChannelMinute } from './health/index.ts'
import { receiveCall, type Call } from './ingress/call.ts'
import { allowAnyOrigin } from './ingress/cors.ts'
import { readCredential } from './ingress/credential.ts'
import { isGatewayPath } from './ingress/endpoints.ts'
import { countPrompt } from './models/count-prompt.ts'
import { showModel, showModels } from './models/show-models.ts'
import type { CallOutcome, Ports } from './ports.ts'
import { probeChannel, type Probe, type ProbeResult } from './probe-channel.ts'
import { refuse } from './refuse.ts'
import { relay } from './relay.ts'
import { createRouter } from './route/route-call.ts'

export interface Gateway {
  /** Whether a URL is one of the data plane. */
  matches(url: string): boolean
  /** Answers one request. Never throws: what goes wrong is answered, and logged when it is our fault. */
  handle(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void>
  /** Asks one channel as a client's call would, without a client and without a bill. */
  probe(order: Probe): Promise<ProbeResult>
  /** How channels did since the last time this was asked, by minute. */
  takeTally(): readonly ChannelMinute[]
  openCalls(): number
  /** Ways to a model that are being left alone after failures. */
  openBreakers(): number
  /** Resolves when no call is left. Calls still open at the deadline are ended, settled for what they produced. */
  drain(deadlineMs: number): Promise<void>
}

/** The data plane over plain HTTP objects. */
export function createGateway(ports: Ports): Gateway {
  const health = createHealth({ now: ports.now })
  const router = createRouter({ health, random: ports.random })
  const open = new Map<Call, Promise<void>>()

  async function serve(call: Call): Promise<CallOutcome> {
    const { endpoint } = call
    if (endpoint.kind === 'conversation') return relay({ ports, router, health }, call, endpoint)
    if (endpoint.kind === 'not-implemented') throw new Refusal('api_not_implemented')
    if (endpoint.kind === 'unknown') {
      const { method = '', url = '' } = call.request
      throw new Refusal('not_found', { method, path: url.replace(/[?#].*$/, '') })
    }
    const catalog = ports.catalog()
    const caller = await authenticate(ports, readCredential(call.request, endpoint.protocol))
    const group = checkAccess(caller, call.clientAddress, catalog.settings)
    const audience = { catalog, caller, group }
    const body =
      endpoint.kind === 'count-tokens'
        ? await countPrompt(call)
        : endpoint.kind === 'list-models'
          ? showModels(endpoint.protocol, audience)
          : showModel(endpoint.protocol, audience, endpoint.model)
    call.reply.sendJson(200, body)
    return 'served'
  }

  async function answer(call: Call): Promise<void> {
    let status = 200
    let outcome: CallOutcome
    try {
      outcome = await serve(call)
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
    const { status } = refuseSafely(call, call.signal.aborted ? new Refusal('service_unavailable') : error)
    if (error instanceof UpstreamFailure) return { status, outcome: 'failed' }
    if (status >= 500) ports.log.error({ err: error, requestId: call.requestId }, 'a call could not be served')
    return { status, outcome: 'refused' }
  }

  /** A refusal that cannot be written must not take the process with it. */
  function refuseSafely(call: Call, error: unknown): { status: number } {
    try {
      return refuse(call, error)
    } catch (cause) {
      return refuse(call, new Refusal('internal_error', {}, { cause }))
    }
  }

  return {
    matches: isGatewayPath,
    async handle(request, response, requestId) {
      response.setHeader('x-request-id', requestId)
      allowAnyOrigin(request, response)
      if (response.writableEnded) return
      const call = receiveCall(ports, request, response, requestId)
      const done = answer(call)
      open.set(call, done)
      try {
        await done
      } finally {
        open.delete(call)
      }
    },
    probe: (order) => probeChannel({ ports, health }, order),
    takeTally: () => health.tally.take(),
    openCalls: () => open.size,
    openBreakers: health.openCircuits,
    async drain(deadlineMs) {
      const timer = setTimeout(() => {
        for (const call of open.keys()) call.stop()
      }, deadlineMs)
      while (open.size > 0) await Promise.allSettled(open.values())
      clearTimeout(timer)
    },
  }
}
