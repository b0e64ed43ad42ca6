import { logFactors, ratiosOf, type ModelPrice, type Receipt, type Usage } from '@tidegate/pricing'
import { inputTokens, outputTokens, type TierConditions } from '@tidegate/contract'
import type { RequestRecord, BilledAttempt } from '../admit/observe-request.ts'

/** The sentence in the log that explains the price. */
export function describePrice({ price, quota, at, tiers }: Receipt, usage: Usage): string {
  let text = factorsOf(price, at)
  if (tiers.length > 0) text += `; tier ${tiers.map(describeTier).join(', ')}`
  if (usage.estimated) text += '; tokens counted here, the upstream gave no counts'
  if (quota === 0 && usage.output + usage.input === 0) text += '; no tokens, possibly upstream timeout'
  return text
}

const sentences = new WeakMap<ModelPrice, string>()

/** Cached: one price serves many requests. */
function factorsOf(price: ModelPrice, at: Date): string {
  let sentence = sentences.get(price)
  if (sentence === undefined) sentences.set(price, (sentence = `${ofModel(price, at)}, ${ofGroup(price)}`))
  return sentence
}

function ofModel(price: ModelPrice, at: Date): string {
  if (price.kind === 'call') return `model price ${decimals(price.callPrice)}`
  const { modelRatio, completionRatio = 0 } = ratiosOf(price, at)
  return `model ratio ${decimals(modelRatio)}, completion ratio ${decimals(completionRatio)}`
}

function ofGroup({ groupRatio }: ModelPrice): string {
  return `group ratio ${decimals(groupRatio)}`
}

/** Two decimals, and more where the value has them: 0.075 is not 0.07. Six are enough for any price. */
function decimals(value: number): string {
  return value.toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1')
}

/** The conditions of a tier. */
function describeTier({ inputAbove, inclusive, ...named }: TierConditions): string {
  const parts = Object.values(named)
  if (inputAbove !== undefined) parts.unshift(`input ${inclusive ? 'from' : 'above'} ${inputAbove} tokens`)
  return parts.join(' ')
}

interface DescribedRequest extends Pick<
  RequestRecord,
  'request' | 'decision' | 'timing' | 'outputLimit' | 'implausible' | 'isInterrupted'
> {
  readonly incoming?: Pick<RequestRecord['incoming'], 'writer' | 'revokedBy'>
  readonly attempt: Pick<BilledAttempt, 'tried' | 'reasoningEffort' | 'stripped'> & {
    readonly route: Pick<BilledAttempt['route'], 'mapped' | 'model'>
  }
}

/** The fields of a log row: the factors of the price, enough to recompute it, and how the request was served. */
export function describeRequest(
  { incoming, request, attempt, decision, timing, outputLimit, implausible, isInterrupted }: DescribedRequest,
  receipt: Receipt,
  usage: Usage,
  firstTokenMs: number,
): Record<string, unknown> {
  const { route, tried, reasoningEffort, stripped } = attempt
  return {
    ...logFactors(receipt, usage),
    frt: firstTokenMs,
    timing,
    ...(request.dialect === 'anthropic-messages' && { claude: true }),
    ...(reasoningEffort && { reasoning_effort: reasoningEffort }),
    ...(stripped && stripped.length > 0 && { stripped }),
    ...(incoming?.revokedBy
      ? { access_revoked: incoming.revokedBy.code }
      : incoming?.writer?.isClosed && { client_disconnected: true }),
    ...(isInterrupted && { stream_interrupted: true }),
    ...(outputLimit && { output_limit: outputLimit.tokens, output_limit_reason: outputLimit.reason }),
    ...(implausible && { implausible_tokens: inputTokens(implausible) + outputTokens(implausible) }),
    ...(route.mapped && { is_model_mapped: true, upstream_model_name: route.model }),
    admin_info: { use_channel: tried.map(({ channel }) => String(channel)), attempts: tried, decision },
  }
}
