import { Refusal } from '@tidegate/contract'
import { DialectError } from '@tidegate/dialects'
import { checkOrigin } from '../admit/browser-extension.ts'
import { checkAccess, checkModel, checkName } from '../admit/check-access.ts'
import { checkContent } from '../admit/content-check.ts'
import { measurePrompt } from '../admit/measure-prompt.ts'
import { slotsFor, type Slots } from '../admit/rate-limits.ts'
import type { Caller } from '../authenticate/authenticate.ts'
import type { Affinity } from '../health/affinity.ts'
import type { Call } from '../ingress/call.ts'
import type { Catalog, Ports } from '../ports.ts'
import { describeFailure } from '../refuse.ts'
import type { Router } from '../route/route-call.ts'
import { readAsked, type Asked, type JudgedEndpoint } from './read-asked.ts'
import type { ShadowDecision } from './shadow-row.ts'

export interface ShadowDeps {
  readonly ports: Pick<Ports, 'limiter' | 'log' | 'now' | 'accounts'>
  /** With turns and conversations of its own: those of real calls stay as they are. */
  readonly router: Router
  readonly affinity: Affinity
}

interface Question {
  readonly endpoint: JudgedEndpoint
  readonly caller: Caller
  readonly catalog: Catalog
}

/**
 * The steps of a call up to the moment a vendor would be asked. A refusal on the way is a decision like another. Unlike
 * that of a real call, the body is read first: a refusal has to be known by its model to be found in the old log.
 */
export async function decide(deps: ShadowDeps, call: Call, question: Question): Promise<ShadowDecision> {
  const { caller, catalog, endpoint } = question
  const { settings } = catalog
  let known = UNDECIDED
  const tell: Tell = (found) => (known = { ...known, ...found })
  try {
    const asked = await readAsked(call, endpoint)
    tell({ isStream: asked.stream })
    checkName(asked.model)
    tell({ model: asked.model })
    const group = checkAccess(caller, {}, call, settings)
    tell({ group })
    checkOrigin(call.request.headers.origin, settings)
    const slots = await slotsFor(deps.ports, call, { caller, group, settings })
    try {
      await weigh(deps, call, { ...question, asked, group, slots }, tell)
    } catch (error) {
      await slots?.giveBack()
      throw error
    }
    await slots?.keep(known.promptTokens)
    return known
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof DialectError)) throw error
    const refusal = String(describeFailure(error, 'en').error.code)
    return { ...known, channelId: null, upstreamModel: '', pricing: null, refusal }
  }
}

type Tell = (found: Partial<ShadowDecision>) => void

const UNDECIDED: ShadowDecision = {
  model: '',
  isStream: false,
  group: '',
  channelId: null,
  upstreamModel: '',
  promptTokens: 0,
  reserve: 0,
  refusal: null,
  pricing: null,
}

interface Weighed extends Question {
  readonly asked: Asked
  readonly group: string
  readonly slots: Slots | undefined
}

/** From the model to the balance. What is found is told at once: a refusal further on must not take it along. */
async function weigh(
  { ports, router, affinity }: ShadowDeps,
  call: Call,
  { asked, caller, catalog, group, slots }: Weighed,
  tell: Tell,
): Promise<void> {
  const { model, prompt } = asked
  checkModel(caller, model)
  await checkContent(catalog.settings, group, prompt.texts, { log: ports.log, requestId: call.requestId })
  const question = { caller, group, model, ...asked.question }
  const smallestLimit = Math.min(router.smallestInputLimit(catalog, question), slots?.tokenLimit ?? Infinity)
  const promptTokens = await measurePrompt(model, prompt, smallestLimit)
  tell({ promptTokens })
  await slots?.enterWithPrompt(promptTokens)

  const routes = router.route(catalog, { ...question, promptTokens })
  const route = routes.next()!
  const { amount, minimum } = asked.reserve(routes.prices(), promptTokens, catalog.settings)
  const usage = asked.soldUsage(promptTokens, route.price)
  tell({
    group: route.group,
    channelId: route.channel.id,
    upstreamModel: route.model,
    reserve: amount,
    pricing: { price: route.price, ...(usage && { usage }) },
  })
  await checkBalance(ports, caller, minimum)
  const { conversation, routed, channel } = route
  if (conversation !== undefined) affinity.keep(conversation, { channelId: channel.id, keyId: '', routed })
}

/** As a reservation would, without making one. */
async function checkBalance({ accounts }: Pick<Ports, 'accounts'>, caller: Caller, needed: number): Promise<void> {
  if (!accounts) return
  const { user, token } = await accounts.figuresOf(caller)
  if (user.remain < needed) throw new Refusal('insufficient_user_quota', { needed })
  if (!caller.unlimitedQuota && token.remain < needed) throw new Refusal('pre_consume_token_quota_failed', { needed })
}
