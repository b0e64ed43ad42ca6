import { logFactors, type Receipt, type Usage } from '@tidegate/pricing'
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

/** What the log keeps of a call: the factors of its price, enough to compute it again, and how it was served. */
export function describeCall(
  { route: { mapped, model }, tried }: Pick<Attempt, 'route' | 'tried'>,
  receipt: Receipt,
  usage: Usage,
  firstTokenMs: number,
): Record<string, unknown> {
  return {
    ...logFactors(receipt, usage),
    frt: firstTokenMs,
    ...(mapped && { is_model_mapped: true, upstream_model_name: model }),
    admin_info: { use_channel: tried },
  }
}
