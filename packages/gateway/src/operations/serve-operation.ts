import { completionTokens, computeReceipt, promptTokens as tokensRead } from '@tidegate/pricing'
import { providerOf, type UpstreamFailure } from '@tidegate/providers'
import { type Admission, type GatewayContext, type RequestKind, withAdmission } from '../admit/admit.ts'
import { checkBalance, reserveAmount } from '../admit/credit.ts'
import { runAttempts } from '../dispatch/run-attempts.ts'
import { authenticateRequest } from '../admit/authenticate.ts'
import { createFailureHandler } from '../dispatch/failed-attempt.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { Endpoint } from '../http/endpoints.ts'
import type { RequestOutcome, Ports } from '../ports/index.ts'
import { presentUpstreamError } from '../http/upstream-error.ts'
import { settleRequest, settlementOf } from '../settle/settle-request.ts'
import { forwardedHeaders } from '../http/response-writer.ts'
import { recordSuccess } from '../admit/observe-request.ts'
import { sendOperation, type OperationResponse } from './send-operation.ts'
import type { OperationRequest } from './operation-request.ts'
import { readOperation } from './read-operation.ts'
import { forwardBytes } from '../dispatch/forward-bytes.ts'
import { expectedUsage, lastCounts, operationUsage } from './operation-usage.ts'

type OperationEndpoint = Extract<Endpoint, { kind: 'operation' }>

/** Serves a request that is not a chat. The response is forwarded without being converted. */
export function serveOperation(
  context: GatewayContext,
  incoming: ApiRequest,
  endpoint: OperationEndpoint,
): Promise<RequestOutcome> {
  return withAdmission(context, incoming, operationKind(context.ports, incoming, endpoint), (admission) =>
    serve(context, incoming, admission),
  )
}

export function operationKind(
  ports: Ports,
  incoming: ApiRequest,
  endpoint: OperationEndpoint,
): RequestKind<OperationRequest> {
  return {
    async authenticate(catalog) {
      const { caller, group } = await authenticateRequest(ports, incoming, catalog.settings)
      const beforeLarge = () => checkBalance(ports, incoming, { caller, catalog, groups: [group] })
      return { caller, group, readRequest: () => readOperation(incoming, endpoint, { beforeLarge }) }
    },
    prompt: (request) => request,
    countsPrompt: true,
    routeOptions: ({ operation, work }) => ({ operation, ...(work.kind === 'images' && { image: work }) }),
    async reserve({ caller, request, promptTokens, candidates, at }) {
      const amounts = candidates.map(
        ({ price }) => computeReceipt(price, expectedUsage(request, promptTokens, price), at).quota,
      )
      return {
        reservation: await reserveAmount(ports.credit, incoming.requestId, caller, Math.max(...amounts)),
      }
    },
  }
}

async function serve(
  { ports, health }: GatewayContext,
  incoming: ApiRequest,
  {
    catalog,
    settings,
    caller,
    group,
    request,
    plan,
    attempts,
    reservation,
    rateLimits,
    timing,
  }: Admission<OperationRequest>,
): Promise<RequestOutcome> {
  const { model, operation } = request
  const failed = createFailureHandler({ ports, health, settings }, { incoming, caller, request })
  const result = await runAttempts<OperationResponse>(
    { ports, catalog, acquireKey: health.acquireKey, onFailure: failed },
    incoming,
    {
      model,
      plan,
      attempts,
      senderFor(route) {
        const how = providerOf(route.channel.type).operations?.[operation]
        return (
          how && {
            dialect: operation,
            send: (key) => sendOperation({ ports, catalog }, incoming, { request, route, operation: how, key }),
            isStream: ({ kind }) => kind === 'stream',
          }
        )
      },
    },
  )
  const { response, ...attempt } = result
  try {
    const { channel } = attempt.route
    const present = (failure: UpstreamFailure) =>
      presentUpstreamError(failure, { channel, key: attempt.lease.key }, settings).error
    const forwarded =
      response.kind === 'stream' ? await forwardBytes(incoming.writer, { ...response, present }) : undefined
    if (forwarded?.error) {
      const { kind, status } = forwarded.error
      const outcome = providerOf(channel.type).classify(forwarded.error)
      attempt.lease.report({ outcome, kind, status, milliseconds: ports.now() - attempt.firstContentAt })
      // The provider bills nothing for an error, so the reservation is released.
      const isFinal = !forwarded.hasContent && !lastCounts(forwarded.tail)
      failed(attempt.route, attempt.lease, forwarded.error, attempt.tried)?.(isFinal)
      if (isFinal) {
        await rateLimits?.rollback()
        return finish(incoming, response, forwarded.broken !== undefined)
      }
    }
    const reported = response.kind === 'whole' ? response.json : lastCounts(forwarded?.tail ?? '')
    const usage = await operationUsage(request, attempt.route, reported)
    const served = {
      incoming,
      caller,
      group,
      request,
      attempt: { ...attempt, opening: response },
      decision: plan.decision,
      timing,
    }
    const settlement = settlementOf(ports, served, usage)
    await settleRequest(reservation, settlement)
    recordSuccess(ports, incoming, served, usage)
    if (rateLimits) await rateLimits.commit(tokensRead(usage) + completionTokens(usage))
    return finish(incoming, response, forwarded?.broken !== undefined)
  } finally {
    attempt.lease.end()
  }
}

/** Sends the last bytes of a settled request. A broken stream is cut, so that the client detects it. */
function finish(incoming: ApiRequest, response: OperationResponse, isBroken: boolean): RequestOutcome {
  if (incoming.writer.isClosed) return 'client-gone'
  if (response.kind === 'whole') {
    incoming.writer.send(response.status, forwardedHeaders(response.headers), response.body)
    return 'served'
  }
  if (isBroken) incoming.writer.cut()
  else incoming.writer.end('')
  return isBroken ? 'interrupted' : 'served'
}
