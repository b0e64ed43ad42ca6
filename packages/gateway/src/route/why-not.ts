import { ApiError } from '@tidegate/contract'
import type { Catalog } from '../ports/index.ts'
import { NoRoute, type DecisionRecord } from './decision.ts'
import type { Judgement } from './evaluate-channel.ts'
import { routeName } from './model-names.ts'
import type { RouteQuestion } from './route.ts'

/** Remembers why channels were skipped, for an error that says what helps: waiting, a shorter prompt, or another model. */
export class WhyNot {
  #soonestMs = Infinity
  #largestLimit = 0
  #price: ApiError | undefined
  #unsupported = false

  note(judgement: Judgement): void {
    if (judgement.kind === 'cooling-down') this.#soonestMs = Math.min(this.#soonestMs, judgement.waitMs)
    else if (judgement.kind === 'prompt-too-long') this.#largestLimit = Math.max(this.#largestLimit, judgement.limit)
    else if (judgement.kind === 'no-price') this.#price ??= judgement.refusal
    else if (judgement.kind === 'cannot-serve') this.#unsupported ||= !judgement.misconfigured
  }

  /** Undefined when no channel would be ready by waiting. */
  get waitMs(): number | undefined {
    return this.#soonestMs === Infinity ? undefined : this.#soonestMs
  }

  /** 503 only when a channel may come back: clients retry it for minutes. */
  refusal(catalog: Catalog, question: WhyNotQuestion, record: DecisionRecord): ApiError {
    const { code, details, retryAfterSeconds } = this.#reason(catalog, question, record)
    const options = { cause: new NoRoute(record.decision) }
    return new ApiError(code, details, retryAfterSeconds === undefined ? options : { ...options, retryAfterSeconds })
  }

  #reason(catalog: Catalog, question: WhyNotQuestion, record: DecisionRecord): ApiError {
    const { model, promptTokens: tokens } = question
    if (this.waitMs !== undefined) {
      const seconds = Math.ceil(this.waitMs / 1000)
      return new ApiError('channels_cooling_down', { model, seconds }, { retryAfterSeconds: seconds })
    }
    if (this.#largestLimit > 0) {
      return new ApiError('max_input_tokens_exceeded', { tokens, model, limit: this.#largestLimit })
    }
    if (this.#price) return this.#price
    if (this.#unsupported) return new ApiError('model_endpoint_unsupported', { model })
    return notServed(catalog, question, record)
  }
}

interface WhyNotQuestion extends Pick<RouteQuestion, 'group' | 'model' | 'promptTokens'> {
  /** The names that channels were looked up by. */
  readonly targets: readonly string[]
}

/** Tells an unknown model from one of another group and one whose channels are all disabled. */
function notServed(catalog: Catalog, { group, model, targets }: WhyNotQuestion, record: DecisionRecord): ApiError {
  const { bare, prefix } = routeName(catalog, group, model)
  const serving = [...catalog.channels.values()].filter(
    (channel) =>
      (prefix === '' || channel.modelPrefix === prefix) && targets.some((target) => channel.models.includes(target)),
  )
  for (const { id, enabled } of serving) record.passOver(id, enabled ? 'other-group' : 'disabled')
  const isVirtual = Object.hasOwn(catalog.settings.global_model_mapping.mapping, bare)
  if (serving.length === 0 && !isVirtual) return new ApiError('model_not_found', { model })
  const inGroup = serving.some(({ groups }) => groups.includes(group))
  const elsewhere = serving.some(({ enabled }) => enabled)
  return new ApiError(elsewhere && !inGroup ? 'model_not_in_group' : 'no_channel', { group, model })
}
