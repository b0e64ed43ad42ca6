import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, type Settings } from '@tidegate/contract'
import { completionTokens, promptTokens, worstCaseQuota, type RequestBound, type Usage } from '@tidegate/pricing'
import { providerOf, targetOf, upstreamRequest, type UpstreamSocket } from '@tidegate/providers'
import type { WebSocket } from 'ws'
import {
  type Admission,
  type GatewayContext,
  type RequestKind,
  type RequestSummary,
  withAdmission,
} from '../admit/admit.ts'
import { checkAccess } from '../admit/access.ts'
import { reserveAmount } from '../admit/credit.ts'
import { authenticate, watchToken } from '../admit/authenticate.ts'
import { runAttempts } from '../dispatch/run-attempts.ts'
import { createFailureHandler } from '../dispatch/failed-attempt.ts'
import type { ApiRequest } from '../http/api-request.ts'
import { readCredential } from '../http/credential.ts'
import type { RequestOutcome, Ports } from '../ports/index.ts'
import { describeError } from '../http/error-response.ts'
import { settleRequest, settlementOf, withDetails } from '../settle/settle-request.ts'
import { recordSuccess } from '../admit/observe-request.ts'
import { keyInProtocols } from './client-socket.ts'
import { flagChannel, tokenCeiling } from '../settle/plausible-usage.ts'
import { NextResponse } from './next-response.ts'
import { providerErrors } from './provider-errors.ts'
import { SessionCredit, type EndReason } from './session-credit.ts'
import { SessionUsage } from './session-usage.ts'
import { pipeSockets, type SessionEnd } from './pipe-sockets.ts'

/** Serves a realtime session. Credit is reserved for every response before the client may request it. */
export function serveRealtime(
  context: GatewayContext,
  incoming: ApiRequest,
  accept: () => Promise<WebSocket>,
): Promise<RequestOutcome> {
  return withAdmission(context, incoming, sessionKind(context.ports, incoming), (admission) =>
    runSession(context, incoming, accept, admission),
  )
}

function sessionKind(ports: Ports, incoming: ApiRequest): RequestKind<RequestSummary> {
  return {
    async authenticate({ settings }) {
      const { headers, url } = incoming.request
      const inProtocols = keyInProtocols(headers['sec-websocket-protocol'])
      const request = inProtocols ? { headers: { ...headers, authorization: inProtocols }, url } : { headers, url }
      const credential = readCredential(request, 'openai-chat')
      const caller = await authenticate(ports, credential, incoming.known)
      await watchToken(ports, incoming, credential, caller)
      const group = checkAccess(caller, ports, incoming, settings)
      incoming.known.group = group
      const model = new URL(url ?? '', 'http://gateway').searchParams.get('model')?.trim() ?? ''
      if (model === '') throw new ApiError('model_required')
      return { caller, group, readRequest: async () => ({ model, dialect: 'openai-chat', stream: true }) }
    },
    prompt: () => ({ texts: [], otherTokens: 0 }),
    countsPrompt: false,
    routeOptions: () => ({ operation: 'realtime' }),
    async reserve({ caller, candidates, settings }) {
      const amounts = candidates.map(({ price }) => worstCaseQuota(price, initialBound(settings)))
      return {
        reservation: await reserveAmount(ports.credit, incoming.requestId, caller, Math.max(...amounts)),
      }
    },
  }
}

async function runSession(
  { ports, health }: GatewayContext,
  incoming: ApiRequest,
  accept: () => Promise<WebSocket>,
  admission: Admission<RequestSummary>,
): Promise<RequestOutcome> {
  const { catalog, settings, caller, group, request, plan, attempts, reservation, rateLimits, timing } = admission
  const failed = createFailureHandler({ ports, health, settings }, { incoming, caller, request })
  const { response: provider, ...attempt } = await runAttempts<UpstreamSocket>(
    { ports, catalog, acquireKey: health.acquireKey, onFailure: failed },
    incoming,
    {
      model: request.model,
      plan,
      attempts,
      senderFor({ channel, model: name }) {
        const operation = providerOf(channel.type).operations?.realtime
        return (
          operation && {
            dialect: 'realtime',
            async send(key) {
              const target = targetOf(channel, { key, model: name })
              const { url, headers, proxy } = await upstreamRequest(ports, channel, {
                target,
                url: operation.url(target, { settings }),
                method: 'GET',
                headers: betaHeader(incoming.request.headers, name),
                client: incoming.request.headers,
              })
              const { signal } = incoming
              return ports.upstream.openSocket({ url, headers, proxy, protocols: ['realtime'], signal })
            },
            isStream: () => true,
          }
        )
      },
    },
  )
  const next = new NextResponse(attempt.route.model)
  const used = new SessionUsage(tokenCeiling(attempt.route.model, { body: {} }), next)
  const served = {
    incoming,
    caller,
    group,
    request,
    attempt: { ...attempt, opening: { kind: 'stream' as const } },
    decision: plan.decision,
    timing,
  }
  const settlementFor = (usage: Usage) => withDetails(settlementOf(ports, served, usage), { ws: true })
  const credit = new SessionCredit({
    reservation,
    rateLimits,
    used,
    next,
    price: attempt.route.price,
    startedAt: new Date(incoming.startedAt),
    isBeta: isBeta(incoming.request.headers, attempt.route.model),
    settlementFor,
  })
  const endOf = ({ failure, reason }: EndReason): SessionEnd => ({
    event: { type: 'error', error: describeError(failure, incoming.language).error },
    reason,
  })
  let hasRun = false
  let usedTokens: number | undefined
  try {
    try {
      incoming.signal.throwIfAborted()
      const client = await accept()
      hasRun = true
      await pipeSockets(client, provider, incoming, {
        revoked: () => incoming.revokedBy && endOf({ failure: incoming.revokedBy, reason: 'access revoked' }),
        async fromClient(event) {
          if (!used.readClient(event)) return [event]
          const admitted = await credit.admit(event)
          return 'failure' in admitted ? endOf(admitted) : admitted
        },
        async fromProvider(event) {
          const ended = used.readProvider(event) ? await credit.cover() : undefined
          return ended && endOf(ended)
        },
        isResponding: () => next.isResponding,
        ...providerErrors(attempt, settings, (failure, outcome) => {
          const { kind, status } = failure
          attempt.lease.report({ outcome, kind, status, milliseconds: ports.now() - attempt.firstContentAt })
          failed(attempt.route, attempt.lease, failure, attempt.tried)?.(false) // the session has a billed row
        }),
      })
    } finally {
      provider.close(1000, '')
      attempt.lease.end()
    }
    const usage = used.whole
    await settleRequest(reservation, settlementFor(usage))
    if (used.implausible) flagChannel(ports, attempt.route, { reported: used.implausible, counted: usage })
    recordSuccess(ports, incoming, served, usage)
    usedTokens = tokensOf(usage)
    return 'served'
  } finally {
    // When settlement fails, the rate limits keep what was charged while the session ran.
    if (hasRun) await rateLimits?.commit(usedTokens)
  }
}

function tokensOf(usage: Usage): number {
  return promptTokens(usage) + completionTokens(usage)
}

const BETA = 'realtime=v1'
const BETA_PROTOCOL = 'openai-beta.realtime-v1'

function betaHeader(headers: IncomingHttpHeaders, model: string): Record<string, string> {
  return isBeta(headers, model) ? { 'openai-beta': BETA } : {}
}

/** Clients of the beta protocol declare it, and preview models support no other. */
function isBeta(headers: IncomingHttpHeaders, model: string): boolean {
  return (
    headers['openai-beta']?.includes(BETA) === true ||
    headers['sec-websocket-protocol']?.includes(BETA_PROTOCOL) === true ||
    model.includes('realtime-preview')
  )
}

/** The amount reserved before a session begins: some audio input and output. */
function initialBound({ PreConsumedQuota }: Settings): RequestBound {
  return {
    promptTokens: PreConsumedQuota,
    outputLimit: PreConsumedQuota,
    choices: 1,
    cacheWrite: 'none',
    audioInput: true,
    audioOutput: true,
  }
}
