/** What a model costs by tokens: model ratio, then output and cached input as multiples of the input price. */
export type PriceRow = readonly [modelRatio: number, completionRatio?: number, cacheRatio?: number]
