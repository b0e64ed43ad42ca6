import type { IncomingHttpHeaders } from 'node:http'
import { Refusal, type Settings } from '@tidegate/contract'
import {
  completionTokens,
  computeReceipt,
  promptTokens,
  worstCaseQuota,
  type RequestBound,
  type Usage,
} from '@tidegate/pricing'
import { providerOf, type UpstreamSocket } from '@tidegate/providers'
import type { WebSocket } from 'ws'
import { checkAccess, checkModel } from '../admit/check-access.ts'
import { Grant } from '../admit/grant.ts'
import { slotsFor } from '../admit/rate-limits.ts'
import { authenticate } from '../authenticate/authenticate.ts'
import { targetOf } from '../dispatch/target-of.ts'
import { tryRoutes } from '../dispatch/try-routes.ts'
import { watchFailures } from '../health/watch-failures.ts'
import type { Call } from '../ingress/call.ts'
import { readCredential } from '../ingress/credential.ts'
import type { CallOutcome } from '../ports.ts'
import { describeFailure } from '../refuse.ts'
import type { Relay } from '../relay.ts'
import { release, shortageOf } from '../settle/end-grant.ts'
import { settleCall, settlementOf } from '../settle/settle-call.ts'
import { StepClock } from '../step-times.ts'
import { tellServed } from '../tell-conversation.ts'
import { keyInProtocols } from './client-socket.ts'
import { flagChannel, mostTokens } from '../meter/plausible-usage.ts'
import { SessionUsage } from './session-usage.ts'
import { speakBothWays, type SessionEnd } from './speak-both-ways.ts'

/** A conversation by voice: both sides speak when they like, and every answer that is complete is covered before the next. */
export async function serveRealtime(
  { ports, router, health }: Relay,
  call: Call,
  accept: () => Promise<WebSocket>,
): Promise<CallOutcome> {
  const catalog = ports.catalog()
  const { settings } = catalog
  const clock = new StepClock()
  const { headers, url } = call.request
  const inProtocols = keyInProtocols(headers['sec-websocket-protocol'])
  const credential = inProtocols ? { headers: { ...headers, authorization: inProtocols }, url } : { headers, url }
  const caller = await authenticate(ports, readCredential(credential, 'openai-chat'))
  const group = checkAccess(caller, call.clientAddress, settings)
  const model = new URL(url ?? '', 'http://gateway').searchParams.get('model')?.trim() ?? ''
  if (model === '') throw new Refusal('model_required')
  checkModel(caller, model)
  clock.done('authenticate')
  const slots = await slotsFor(ports, call, { caller, group, settings })
  let hasRun = false
  let usedTokens: number | undefined
  try {
    await slots?.enterWithPrompt(0) // what a session uses is known only when it has used it
    if (slots) clock.done('limits')
    const request = { model, dialect: 'openai-chat', stream: true } as const
    const question = { caller, group, ...request, operation: 'realtime', promptTokens: 0 } as const
    const routes = router.route(catalog, question)
    clock.done('route')
    const ahead = Math.max(...routes.prices().map(({ price }) => worstCaseQuota(price, aheadOf(settings))))
    const grant = await Grant.reserve(ports.credit, call.requestId, caller, ahead)
    clock.done('credit')
    try {
      const failed = watchFailures({ ports, health, settings }, { call, caller, group, request })
      const { answer: vendor, ...attempt } = await tryRoutes<UpstreamSocket>(
        { ports, catalog, begin: health.begin, failed },
        call,
        {
          model,
          routes,
          attempts: caller.pinnedChannelId === undefined ? undefined : 1,
          wayTo({ channel, model: name }) {
            const operation = providerOf(channel.type).operations?.realtime
            return (
              operation && {
                dialect: 'realtime',
                ask(key) {
                  const target = targetOf(channel, { key, model: name })
                  return ports.upstream.openSocket({
                    url: operation.url(target, { settings }),
                    headers: {
                      ...providerOf(channel.type).authorize(target),
                      ...betaHeader(call.request.headers, name),
                    },
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
      const used = new SessionUsage(mostTokens(attempt.route.model, { tree: {} }))
      const served = {
        call,
        caller,
        group,
        request,
        attempt: { ...attempt, opening: { kind: 'stream' as const } },
        decision: routes.decision,
        timing: clock.times,
      }
      const settlementFor = (usage: Usage) => {
        const settlement = settlementOf(ports, served, usage)
        return { ...settlement, log: { ...settlement.log, other: { ...settlement.log.other, ws: true } } }
      }
      try {
        const client = await accept()
        hasRun = true
        await speakBothWays(client, vendor, call.signal, {
          fromClient: (event) => used.hearClient(event),
          fromVendor: (event) => (used.hearVendor(event) ? cover() : undefined),
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

      /**
       * Reserves what the session cost so far plus the initial reservation, and charges its tokens to the rate limit.
       * Ends the session when either is used up.
       */
      async function cover(): Promise<SessionEnd | undefined> {
        const usage = used.total
        const cost = computeReceipt(attempt.route.price, usage, new Date(call.startedAt)).quota
        const shortage = await shortageOf(grant, cost + ahead)
        grant.checkpoint(settlementFor(usage))
        const limited = await slots?.charge(tokensOf(usage))
        if (shortage) return sessionEnd(shortage, 'no credit left')
        return limited && sessionEnd(limited, 'rate limit exceeded')
      }

      function sessionEnd(failure: Refusal, reason: string): SessionEnd {
        return { event: { type: 'error', error: describeFailure(failure, call.language).error }, reason }
      }
    } finally {
      await release(ports, grant, call)
    }
  } finally {
    // A session that could not be settled keeps what it was charged while it ran.
    if (hasRun) await slots?.keep(usedTokens)
    else await slots?.giveBack()
  }
}

function tokensOf(usage: Usage): number {
  return promptTokens(usage) + completionTokens(usage)
}

const BETA = 'realtime=v1'
const BETA_PROTOCOL = 'openai-beta.realtime-v1'

/** Clients of the beta protocol say so, and preview models speak no other. */
function betaHeader(headers: IncomingHttpHeaders, model: string): Record<string, string> {
  const isBeta =
    headers['openai-beta']?.includes(BETA) === true ||
    headers['sec-websocket-protocol']?.includes(BETA_PROTOCOL) === true ||
    model.includes('realtime-preview')
  return isBeta ? { 'openai-beta': BETA } : {}
}

/** What a session has reserved ahead of its use: some audio in and as much out. */
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
