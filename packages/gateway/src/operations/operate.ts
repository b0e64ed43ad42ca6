import { completionTokens, computeReceipt, promptTokens as tokensRead } from '@tidegate/pricing'
import { providerOf, type UpstreamFailure } from '@tidegate/providers'
import { checkOrigin } from '../admit/browser-extension.ts'
import { checkModel } from '../admit/check-access.ts'
import { checkBalance } from '../admit/check-balance.ts'
import { checkContent } from '../admit/content-check.ts'
import { Grant } from '../admit/grant.ts'
import { measurePrompt } from '../admit/measure-prompt.ts'
import { slotsFor, type Slots } from '../admit/rate-limits.ts'
import type { Caller } from '../authenticate/authenticate.ts'
import { tryRoutes } from '../dispatch/try-routes.ts'
import { visitorOf } from '../enter-with-key.ts'
import { watchFailures } from '../health/watch-failures.ts'
import type { Call } from '../ingress/call.ts'
import type { Endpoint } from '../ingress/endpoints.ts'
import type { CallOutcome, Catalog } from '../ports.ts'
import { presentFailure } from '../present-failure.ts'
import type { Relay } from '../relay.ts'
import { release } from '../settle/end-grant.ts'
import { settleCall, settlementOf } from '../settle/settle-call.ts'
import { StepClock } from '../step-times.ts'
import { forwardedHeaders } from '../stream/forwarded-headers.ts'
import { tellFailed, tellServed } from '../tell-conversation.ts'
import { askVendor, type OperationAnswer } from './ask-vendor.ts'
import type { OperationRequest } from './operation-request.ts'
import { readOperation } from './read-operation.ts'
import { relayBytes } from './relay-bytes.ts'
import { expectedOf, lastCounts, usedBy } from './used-by.ts'

type OperationEndpoint = Extract<Endpoint, { kind: 'operation' }>

interface Admitted {
  readonly catalog: Catalog
  readonly caller: Caller
  readonly group: string
  readonly clock: StepClock
  readonly slots?: Slots
}

/** The journey of a call that is no conversation: the same steps, with an answer that is not ours to understand. */
export async function operate(shared: Relay, call: Call, endpoint: OperationEndpoint): Promise<CallOutcome> {
  const { ports } = shared
  const catalog = ports.catalog()
  const { settings } = catalog
  const clock = new StepClock()
  const { caller, group } = await visitorOf(ports, call, settings)
  checkOrigin(call.request.headers.origin, settings)
  clock.done('authenticate')
  const slots = await slotsFor(ports, call, { caller, group, settings })
  if (slots) clock.done('limits')
  const admitted = { catalog, caller, group, clock, ...(slots && { slots }) }
  try {
    const beforeLarge = () => checkBalance(ports, call, { caller, catalog, groups: [group] })
    const request = await readOperation(call, endpoint, { beforeLarge })
    call.known.model = request.model
    checkModel(caller, request.model)
    try {
      return await serve(shared, call, request, admitted)
    } catch (error) {
      tellFailed(ports, call, { catalog, caller, group, request, timing: clock.times }, error)
      throw error
    }
  } catch (error) {
    await slots?.giveBack()
    throw error
  }
}

/** From a request that may be made to the last byte of its answer. */
async function serve(
  { ports, router, health }: Relay,
  call: Call,
  request: OperationRequest,
  { catalog, caller, group, clock, slots }: Admitted,
): Promise<CallOutcome> {
  const { settings } = catalog
  const { model, work, operation } = request
  await checkContent(settings, group, request.texts, { log: ports.log, requestId: call.requestId })
  const question = {
    caller,
    group,
    model,
    dialect: request.dialect,
    operation,
    ...(work.kind === 'images' && { image: work }),
  }
  const smallestLimit = Math.min(router.smallestInputLimit(catalog, question), slots?.tokenLimit ?? Infinity)
  const promptTokens = await measurePrompt(model, request, smallestLimit)
  clock.done('prompt')
  if (slots) {
    await slots.enterWithPrompt(promptTokens)
    clock.done('limits')
  }
  const routes = router.route(catalog, { ...question, promptTokens })
  clock.done('route')

  const startedAt = new Date(call.startedAt)
  const amount = Math.max(
    ...routes
      .prices()
      .map(({ price }) => computeReceipt(price, expectedOf(request, promptTokens, price), startedAt).quota),
  )
  const grant = await Grant.reserve(ports.credit, call.requestId, caller, amount)
  clock.done('credit')
  try {
    const failed = watchFailures({ ports, health, settings }, { call, caller, request })
    const taken = await tryRoutes<OperationAnswer>({ ports, catalog, begin: health.begin, failed }, call, {
      model,
      routes,
      attempts: caller.pinnedChannelId === undefined ? undefined : 1,
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
        timing: clock.times,
      }
      const settlement = settlementOf(ports, served, usage)
      await settleCall(grant, settlement)
      tellServed(ports, call, served, usage)
      if (slots) await slots.keep(tokensRead(usage) + completionTokens(usage))
      return conclude(call, answer, relayed?.broken !== undefined)
    } finally {
      attempt.trial.end()
    }
  } finally {
    await release(ports, grant, call) // of what was not settled
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
