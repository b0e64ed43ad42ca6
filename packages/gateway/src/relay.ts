import { Refusal, type Quota } from '@tidegate/contract'
import { openaiChat } from '@tidegate/dialects'
import { computeReceipt, type Usage } from '@tidegate/pricing'
import { checkAccess, checkModel } from './admit/check-access.ts'
import { amountToReserve, Grant } from './admit/grant.ts'
import { measurePrompt } from './admit/measure-prompt.ts'
import { authenticate } from './authenticate/authenticate.ts'
import { dispatch } from './dispatch/dispatch.ts'
import type { KeyRing } from './dispatch/key-ring.ts'
import type { Call } from './ingress/call.ts'
import { readCredential } from './ingress/credential.ts'
import { readBody } from './ingress/read-body.ts'
import { createMeter } from './meter/meter.ts'
import type { CallOutcome, Ports } from './ports.ts'
import { routeName } from './route/names.ts'
import { routeCall } from './route/route-call.ts'
import { settleCall, settlementOf } from './settle/settle-call.ts'
import { conclude } from './stream/conclude.ts'
import { keepCovered } from './stream/keep-covered.ts'
import { passOn } from './stream/pass-on.ts'

/** The journey of a chat call, step by step. Whatever ends it, its grant is settled or released, once. */
export async function relay(ports: Ports, keys: KeyRing, call: Call): Promise<CallOutcome> {
  const catalog = ports.catalog()
  const { settings } = catalog
  const caller = await authenticate(ports, readCredential(call.request.headers))
  const group = checkAccess(caller, call.clientAddress, settings)
  const request = openaiChat.readRequest(await readBody(call.request)) // only now: a stranger's body is not worth reading
  checkModel(caller, request.model)

  const able = catalog.channelsFor(group, routeName(catalog, group, request.model).routed)
  const promptTokens = await measurePrompt(request, able)
  const routes = routeCall(catalog, { caller, group, model: request.model, promptTokens, random: ports.random })

  const amount = amountToReserve(
    routes.map(({ price }) => price),
    { promptTokens, maxTokens: request.maxTokens, preConsumedTokens: settings.PreConsumedQuota },
  )
  const grant = await Grant.reserve(ports.credit, call.requestId, caller, amount)
  try {
    if (request.stream && settings['general_setting.ping_interval_enabled']) {
      call.reply.keepAlive({ comment: 'PING', everyMs: settings['general_setting.ping_interval_seconds'] * 1000 })
    }
    const attempts = caller.pinnedChannelId === undefined ? undefined : 1
    const attempt = await dispatch({ ports, keys, catalog }, call, request, routes, attempts)
    const prompt = () => openaiChat.promptParts(request)
    const meter = createMeter({ model: attempt.route.model, prompt, promptTokens })
    const served = { call, caller, group, model: request.model, attempt }
    const settlementFor = (usage: Usage) => settlementOf(ports, served, usage)
    const costFor = (usage: Usage) => computeReceipt(attempt.route.price, usage).quota
    const covered = keepCovered({ grant, meter, costFor, settlementFor, now: ports.now })
    const end = await passOn(ports, call, request, attempt, meter, covered)

    const usage = await meter.total()
    const settlement = settlementFor(usage)
    const shortage = await shortageOf(grant, settlement.receipt.quota)
    await settleCall(grant, settlement)
    // An answer in one piece can still be withheld; a stream has been sent, up to what was covered.
    if (shortage && end.kind === 'whole') throw shortage
    return conclude(call, { end, attempt, settings, usage, wantsUsage: request.includeUsage, head: meter.head })
  } finally {
    await release(ports, grant, call) // of what was not settled
  }
}

/** What keeps the grant from holding `needed`: too little credit, or books that cannot be asked. */
async function shortageOf(grant: Grant, needed: Quota): Promise<Refusal | undefined> {
  try {
    return (await grant.extend(needed)) ? undefined : new Refusal('insufficient_user_quota', { needed })
  } catch (error) {
    // What was sent must be billed all the same, as far as it is held.
    return error instanceof Refusal ? error : new Refusal('settlement_unavailable', {}, { cause: error })
  }
}

/** The credit outlives a failure to give it back; the client's answer must not change for it. */
async function release(ports: Ports, grant: Grant, { requestId }: Call): Promise<void> {
  try {
    await grant.release()
  } catch (error) {
    ports.log.error({ err: error, requestId }, 'reserved credit could not be released')
  }
}
