import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, type Settings } from '@tidegate/contract'
import { completionTokens, promptTokens, worstCaseQuota, type RequestBound, type Usage } from '@tidegate/pricing'
import { overrideHeaders, providerOf, type UpstreamSocket } from '@tidegate/providers'
import type { WebSocket } from 'ws'
import {
  type Admission,
  type GatewayContext,
  type RequestKind,
  type RequestSummary,
  withAdmission,
} from '../admit/admit.ts'
import { checkAccess } from '../admit/access.ts'
import { Grant } from '../admit/credit.ts'
import { authenticate, holdToken } from '../admit/authenticate.ts'
import { targetOf } from '../dispatch/upstream-request.ts'
import { tryRoutes } from '../dispatch/run-attempts.ts'
import { watchFailures } from '../dispatch/failed-attempt.ts'
import type { Call } from '../http/api-request.ts'
import { readCredential } from '../http/credential.ts'
import type { CallOutcome, Ports } from '../ports/index.ts'
import { describeFailure } from '../http/error-response.ts'
import { settleCall, settlementOf } from '../settle/settle-request.ts'
import { tellServed } from '../admit/observe-request.ts'
import { keyInProtocols } from './client-socket.ts'
import { flagChannel, mostTokens } from '../settle/plausible-usage.ts'
import { NextResponse } from './next-response.ts'
import { providerErrors } from './provider-errors.ts'
import { SessionCredit, type EndReason } from './session-credit.ts'
import { SessionUsage } from './session-usage.ts'
import { speakBothWays, type SessionEnd } from './pipe-sockets.ts'

/** Serves a realtime session: credit is held for every response before the client may request it. */
export function serveRealtime(
  context: GatewayContext,
  call: Call,
  accept: () => Promise<WebSocket>,
): Promise<CallOutcome> {
  return withAdmission(context, call, sessionKind(context.ports, call), (admission) =>
    runSession(context, call, accept, admission),
  )
}

function sessionKind(ports: Ports, call: Call): RequestKind<RequestSummary> {
  return {
    async authenticate({ settings }) {
      const { headers, url } = call.request
      const inProtocols = keyInProtocols(headers['sec-websocket-protocol'])
      const given = inProtocols ? { headers: { ...headers, authorization: inProtocols }, url } : { headers, url }
      const credential = readCredential(given, 'openai-chat')
      const caller = await authenticate(ports, credential, (record) => (call.known.caller = record))
      await holdToken(ports, call, credential, caller)
      const group = checkAccess(caller, ports, call, settings)
      call.known.group = group
      const model = new URL(url ?? '', 'http://gateway').searchParams.get('model')?.trim() ?? ''
      if (model === '') throw new ApiError('model_required')
      return { caller, group, readRequest: async () => ({ model, dialect: 'openai-chat', stream: true }) }
    },
    prompt: () => ({ texts: [], otherTokens: 0 }),
    countsPrompt: false,
    routeOptions: () => ({ operation: 'realtime' }),
    async reserve({ caller, candidates, settings }) {
      const amounts = candidates.map(({ price }) => worstCaseQuota(price, aheadOf(settings)))
      return { grant: await Grant.reserve(ports.credit, call.requestId, caller, Math.max(...amounts)) }
    },
  }
}

async function runSession(
  { ports, health }: GatewayContext,
  call: Call,
  accept: () => Promise<WebSocket>,
  admission: Admission<RequestSummary>,
): Promise<CallOutcome> {
  const { catalog, settings, caller, group, request, routes, attempts, grant, slots, timing } = admission
  const failed = watchFailures({ ports, health, settings }, { call, caller, request })
  const { answer: vendor, ...attempt } = await tryRoutes<UpstreamSocket>(
    { ports, catalog, begin: health.begin, failed },
    call,
    {
      model: request.model,
      routes,
      attempts,
      wayTo({ channel, model: name }) {
        const operation = providerOf(channel.type).operations?.realtime
        return (
          operation && {
            dialect: 'realtime',
            ask(key) {
              const target = targetOf(channel, { key, model: name })
              return ports.upstream.openSocket({
                url: operation.url(target, { settings }),
                headers: overrideHeaders(
                  {
                    ...providerOf(channel.type).authorize(target),
                    ...betaHeader(call.request.headers, name),
                  },
                  channel.headerOverride,
                  { key, client: call.request.headers },
                ),
                protocols: ['realtime'],
                signal: call.signal,
                proxy: typeof channel.setting.proxy === 'string' ? channel.setting.proxy.trim() : undefined,
              })
            },
            isStream: () => true,
          }
        )
      },
    },
  )
  const next = new NextResponse(attempt.route.model)
  const used = new SessionUsage(mostTokens(attempt.route.model, { tree: {} }), next)
  const served = {
    call,
    caller,
    group,
    request,
    attempt: { ...attempt, opening: { kind: 'stream' as const } },
    decision: routes.decision,
    timing,
  }
  const settlementFor = (usage: Usage) => {
    const settlement = settlementOf(ports, served, usage)
    return { ...settlement, log: { ...settlement.log, other: { ...settlement.log.other, ws: true } } }
  }
  const credit = new SessionCredit({
    grant,
    slots,
    used,
    next,
    price: attempt.route.price,
    startedAt: new Date(call.startedAt),
    isBeta: isBeta(call.request.headers, attempt.route.model),
    settlementFor,
  })
  const endOf = ({ failure, reason }: EndReason): SessionEnd => ({
    event: { type: 'error', error: describeFailure(failure, call.language).error },
    reason,
  })
  let hasRun = false
  let usedTokens: number | undefined
  try {
    try {
      call.signal.throwIfAborted()
      const client = await accept()
      hasRun = true
      await speakBothWays(client, vendor, call, {
        revoked: () => call.revokedBy && endOf({ failure: call.revokedBy, reason: 'access revoked' }),
        async fromClient(event) {
          if (!used.hearClient(event)) return [event]
          const admitted = await credit.admit(event)
          return 'failure' in admitted ? endOf(admitted) : admitted
        },
        async fromVendor(event) {
          const ended = used.hearVendor(event) ? await credit.cover() : undefined
          return ended && endOf(ended)
        },
        isResponding: () => next.isResponding,
        ...providerErrors(attempt, settings, (failure, outcome) => {
          const { kind, status } = failure
          attempt.trial.report({ outcome, kind, status, milliseconds: ports.now() - attempt.firstContentAt })
          failed(attempt.route, attempt.trial, failure)
        }),
      })
    } finally {
      vendor.close(1000, '')
      attempt.trial.end()
    }
    const usage = used.whole
    await settleCall(grant, settlementFor(usage))
    if (used.implausible) flagChannel(ports, attempt.route, { reported: used.implausible, counted: usage })
    tellServed(ports, call, served, usage)
    usedTokens = tokensOf(usage)
    return 'served'
  } finally {
    // A session that could not be settled keeps what it was charged while it ran.
    if (hasRun) await slots?.keep(usedTokens)
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

/** Clients of the beta protocol say so, and preview models speak no other. */
function isBeta(headers: IncomingHttpHeaders, model: string): boolean {
  return (
    headers['openai-beta']?.includes(BETA) === true ||
    headers['sec-websocket-protocol']?.includes(BETA_PROTOCOL) === true ||
    model.includes('realtime-preview')
  )
}

/** What a session must have reserved before it begins: some audio in and as much out. */
function aheadOf({ PreConsumedQuota }: Settings): RequestBound {
  return {
    promptTokens: PreConsumedQuota,
    outputLimit: PreConsumedQuota,
    choices: 1,
    cacheWrite: 'none',
    audioInput: true,
    audioOutput: true,
  }
}
