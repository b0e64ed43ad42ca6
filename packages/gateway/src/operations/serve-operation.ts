import { completionTokens, computeReceipt, promptTokens as tokensRead } from '@tidegate/pricing'
import { providerOf, type UpstreamFailure } from '@tidegate/providers'
import { type Admission, type GatewayContext, type RequestKind, withAdmission } from '../admit/admit.ts'
import { checkBalance, Grant } from '../admit/credit.ts'
import { tryRoutes } from '../dispatch/run-attempts.ts'
import { visitorOf } from '../admit/authenticate.ts'
import { watchFailures } from '../dispatch/failed-attempt.ts'
import type { Call } from '../http/api-request.ts'
import type { Endpoint } from '../http/endpoints.ts'
import type { CallOutcome, Ports } from '../ports/index.ts'
import { presentFailure } from '../http/upstream-error.ts'
import { settleCall, settlementOf } from '../settle/settle-request.ts'
import { forwardedHeaders } from '../http/response-writer.ts'
import { tellServed } from '../admit/observe-request.ts'
import { askVendor, type OperationAnswer } from './send-operation.ts'
import { type OperationRequest, readOperation } from './read-operation.ts'
import { relayBytes } from '../dispatch/forward-bytes.ts'
import { expectedOf, lastCounts, usedBy } from './operation-usage.ts'

type OperationEndpoint = Extract<Endpoint, { kind: 'operation' }>

/** Serves a request that is not a chat. The response is forwarded without being converted. */
export function operate(context: GatewayContext, call: Call, endpoint: OperationEndpoint): Promise<CallOutcome> {
  return withAdmission(context, call, operationKind(context.ports, call, endpoint), (admission) =>
    serve(context, call, admission),
  )
}

export function operationKind(ports: Ports, call: Call, endpoint: OperationEndpoint): RequestKind<OperationRequest> {
  return {
    async authenticate(catalog) {
      const { caller, group } = await visitorOf(ports, call, catalog.settings)
      const beforeLarge = () => checkBalance(ports, call, { caller, catalog, groups: [group] })
      return { caller, group, readRequest: () => readOperation(call, endpoint, { beforeLarge }) }
    },
    prompt: (request) => request,
    countsPrompt: true,
    routeOptions: ({ operation, work }) => ({ operation, ...(work.kind === 'images' && { image: work }) }),
    async reserve({ caller, request, promptTokens, candidates, at }) {
      const amounts = candidates.map(
        ({ price }) => computeReceipt(price, expectedOf(request, promptTokens, price), at).quota,
      )
      return { grant: await Grant.reserve(ports.credit, call.requestId, caller, Math.max(...amounts)) }
    },
  }
}

async function serve(
  { ports, health }: GatewayContext,
  call: Call,
  { catalog, settings, caller, group, request, routes, attempts, grant, slots, timing }: Admission<OperationRequest>,
): Promise<CallOutcome> {
  const { model, operation } = request
  const failed = watchFailures({ ports, health, settings }, { call, caller, request })
  const taken = await tryRoutes<OperationAnswer>({ ports, catalog, begin: health.begin, failed }, call, {
    model,
    routes,
    attempts,
    wayTo(route) {
      const how = providerOf(route.channel.type).operations?.[operation]
      return (
        how && {
          dialect: operation,
          ask: (key) => askVendor({ ports, catalog }, call, { request, route, operation: how, key }),
          isStream: ({ kind }) => kind === 'stream',
        }
      )
    },
  })
  const { answer, ...attempt } = taken
  try {
    const { channel } = attempt.route
    const present = (failure: UpstreamFailure) =>
      presentFailure(failure, { channel, key: attempt.trial.key }, settings).error
    const relayed = answer.kind === 'stream' ? await relayBytes(call.reply, { ...answer, present }) : undefined
    if (relayed?.error) {
      const { kind, status } = relayed.error
      const outcome = providerOf(channel.type).classify(relayed.error)
      attempt.trial.report({ outcome, kind, status, milliseconds: ports.now() - attempt.firstContentAt })
      failed(attempt.route, attempt.trial, relayed.error)
      // The provider bills nothing for an error. The grant is released.
      if (!relayed.hasContent && !lastCounts(relayed.tail)) {
        await slots?.giveBack()
        return conclude(call, answer, relayed.broken !== undefined)
      }
    }
    const reported = answer.kind === 'whole' ? answer.tree : lastCounts(relayed?.tail ?? '')
    const usage = await usedBy(request, attempt.route, reported)
    const served = {
      call,
      caller,
      group,
      request,
      attempt: { ...attempt, opening: answer },
      decision: routes.decision,
      timing,
    }
    const settlement = settlementOf(ports, served, usage)
    await settleCall(grant, settlement)
    tellServed(ports, call, served, usage)
    if (slots) await slots.keep(tokensRead(usage) + completionTokens(usage))
    return conclude(call, answer, relayed?.broken !== undefined)
  } finally {
    attempt.trial.end()
  }
}

/** The last bytes of a settled call. A stream that broke is cut, so that nobody takes it for whole. */
function conclude(call: Call, answer: OperationAnswer, isBroken: boolean): CallOutcome {
  if (call.reply.gone) return 'client-gone'
  if (answer.kind === 'whole') {
    call.reply.send(answer.status, forwardedHeaders(answer.headers), answer.body)
    return 'served'
  }
  if (isBroken) call.reply.cut()
  else call.reply.end('')
  return isBroken ? 'interrupted' : 'served'
}
