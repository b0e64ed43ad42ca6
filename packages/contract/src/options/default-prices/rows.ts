/** What a model costs by tokens: model ratio, then output and cached input as multiples of the input price. */
export type PriceRow = readonly [modelRatio: number, completionRatio?: number, cacheRatio?: number]

/** What sound costs: a multiple of the input price when heard, and a multiple of that when made. */
export type AudioRow = readonly [audioRatio: number, audioCompletionRatio?: number]

/** Most tokens a model takes in, and most it writes. */
export type LimitRow = readonly [context: number, maxOutput?: number]

/** What each model of a vendor can do. */
export type AbilityRows = Readonly<Record<string, readonly ModelAbility[]>>
export type ModelAbility = 'vision' | 'tools' | 'reasoning' | 'json' | 'audio' | 'pdf' | 'cache'
