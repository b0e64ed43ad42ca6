import type { ModelPrice, Receipt, Usage } from '@tidegate/pricing'
import type { Attempt } from '../dispatch/dispatch.ts'

/** The sentence of the log that explains the price. */
export function describePrice({ price, quota }: Receipt, usage: Usage): string {
  const factors =
    price.kind === 'call'
      ? `model price ${price.callPrice.toFixed(2)}, group ratio ${price.groupRatio.toFixed(2)}`
      : `model ratio ${price.modelRatio.toFixed(2)}, completion ratio ${price.completionRatio.toFixed(2)}, ` +
        `group ratio ${price.groupRatio.toFixed(2)}`
  const notes = [
    ...(usage.estimated ? ['tokens counted here, the upstream gave no counts'] : []),
    ...(quota === 0 && usage.output + usage.input === 0 ? ['no tokens, possibly upstream timeout'] : []),
  ]
  return [factors, ...notes].join('; ')
}

/** The factors of a call as the log keeps them, enough to compute its price again. */
export function describeCall(
  { route, tried }: Pick<Attempt, 'route' | 'tried'>,
  usage: Usage,
  firstTokenMs: number,
): Record<string, unknown> {
  const { price, mapped, model } = route
  const cacheWrites = usage.cacheWrite5m + usage.cacheWrite1h
  return {
    ...ratios(price),
    cache_tokens: usage.cacheRead,
    frt: firstTokenMs,
    ...(cacheWrites > 0 && {
      cache_creation_tokens: cacheWrites,
      cache_creation_ratio: price.kind === 'token' ? price.cacheWriteRatio : 0,
    }),
    ...(usage.audioIn + usage.audioOut > 0 && audio(price, usage)),
    ...(usage.estimated && { estimated: true }),
    ...(mapped && { is_model_mapped: true, upstream_model_name: model }),
    admin_info: { use_channel: tried },
  }
}

function ratios(price: ModelPrice) {
  const perToken = price.kind === 'token'
  return {
    model_ratio: perToken ? price.modelRatio : 0,
    group_ratio: price.groupRatio,
    completion_ratio: perToken ? price.completionRatio : 0,
    cache_ratio: perToken ? price.cacheRatio : 0,
    model_price: perToken ? -1 : price.callPrice,
  }
}

function audio(price: ModelPrice, usage: Usage) {
  return {
    audio: true,
    audio_input: usage.audioIn,
    audio_output: usage.audioOut,
    text_input: usage.input + usage.cacheRead,
    text_output: usage.output + usage.reasoning,
    audio_ratio: price.kind === 'token' ? price.audioRatio : 0,
    audio_completion_ratio: price.kind === 'token' ? price.audioCompletionRatio : 0,
  }
}
