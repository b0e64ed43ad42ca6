import { type Channel, type PricedModel, type UsageLog } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { channelErrorsQuery, channelUseQuery, modelPricesQuery, unpricedQuery } from '../api.ts'
import { splitNames } from '../channel-text.ts'

/** What is known about a model of a channel besides its tests. Absent values are not known. */
export interface ModelFacts {
  price?: PricedModel | undefined
  /** No price is set, so requests are rejected. */
  isUnpriced: boolean
  /** Unix seconds, if one of the newest requests of the channel used the model. */
  usedAt?: number | undefined
  /** The newest error, unless a later request succeeded. */
  error?: UsageLog | undefined
}

/** Facts by the name that clients send. */
export function useModelFacts(
  channel: Pick<Channel, 'id' | 'models' | 'model_mapping' | 'model_prefix'>,
): (model: string) => ModelFacts {
  const { id, model_mapping, model_prefix } = channel
  const prices = useQuery(modelPricesQuery).data
  const unpriced = useQuery(unpricedQuery({ models: splitNames(channel.models), model_mapping, model_prefix })).data
  const used = newestByModel(useQuery(channelUseQuery(id)).data)
  const failed = newestByModel(useQuery(channelErrorsQuery(id)).data)
  return (model) => {
    const usedAt = used.get(model)?.created_at
    const error = failed.get(model)
    return {
      price: prices?.get(model),
      isUnpriced: unpriced?.some((one) => one.model === model) ?? false,
      usedAt,
      error: error && error.created_at >= (usedAt ?? 0) ? error : undefined,
    }
  }
}

/** Rows are sorted, the newest first. */
function newestByModel(rows: readonly UsageLog[] = []): ReadonlyMap<string, UsageLog> {
  return new Map(rows.toReversed().map((row) => [row.model_name, row]))
}
