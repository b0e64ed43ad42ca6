import { logFactors, type ModelPrice, type Receipt, type Usage } from '@tidegate/pricing'
import type { Attempt } from '../dispatch/dispatch.ts'
import type { Served } from './settle-call.ts'

/** The sentence of the log that explains the price. */
export function describePrice({ price, quota }: Receipt, usage: Usage): string {
  let text = factorsOf(price)
  if (usage.estimated) text += '; tokens counted here, the upstream gave no counts'
  if (quota === 0 && usage.output + usage.input === 0) text += '; no tokens, possibly upstream timeout'
  return text
}

const sentences = new WeakMap<ModelPrice, string>()

/** Put into words once: a price serves many calls. */
function factorsOf(price: ModelPrice): string {
  let sentence = sentences.get(price)
  if (sentence === undefined) {
    sentence =
      price.kind === 'call'
        ? `model price ${price.callPrice.toFixed(2)}, group ratio ${price.groupRatio.toFixed(2)}`
        : `model ratio ${price.modelRatio.toFixed(2)}, completion ratio ${price.completionRatio.toFixed(2)}, ` +
          `group ratio ${price.groupRatio.toFixed(2)}`
    sentences.set(price, sentence)
  }
  return sentence
}

interface Described extends Pick<Served, 'request' | 'decision' | 'timing' | 'outputLimit'> {
  readonly call?: Pick<Served['call'], 'reply'>
  readonly attempt: Pick<Attempt, 'tried' | 'reasoningEffort'> & {
    readonly route: Pick<Attempt['route'], 'mapped' | 'model'>
  }
}

/** What the log keeps of a call: the factors of its price, enough to compute it again, and how it was served. */
export function describeCall(
  { call, request, attempt, decision, timing, outputLimit }: Described,
  receipt: Receipt,
  usage: Usage,
  firstTokenMs: number,
): Record<string, unknown> {
  const { route, tried, reasoningEffort } = attempt
  return {
    ...logFactors(receipt, usage),
    frt: firstTokenMs,
    timing,
    ...(request.dialect === 'anthropic-messages' && { claude: true }),
    ...(reasoningEffort && { reasoning_effort: reasoningEffort }),
    ...(call?.reply?.gone && { client_disconnected: true }),
    ...(outputLimit && { output_limit: outputLimit.tokens, output_limit_reason: outputLimit.reason }),
    ...(route.mapped && { is_model_mapped: true, upstream_model_name: route.model }),
    admin_info: { use_channel: tried.map(({ channel }) => String(channel)), attempts: tried, decision },
  }
}
