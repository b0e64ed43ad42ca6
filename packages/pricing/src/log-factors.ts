import { multiply, times, toNumber } from './decimal.ts'
import type { CallPrice, PriceBase, TokenPrice } from './price.ts'
import { ratiosOf } from './ratios.ts'
import type { Receipt } from './receipt.ts'
import type { Usage } from './usage.ts'

/**
 * The pricing fields of a log row: the lines, which `recompute` needs, and the factors of the base price under the
 * names of the specification.
 */
export function logFactors({ price, lines, tiers, unpriced, at }: Receipt, usage: Usage): Record<string, unknown> {
  return {
    ...(price.kind === 'token' ? tokenFactors(price, usage, at) : callFactors(price, usage)),
    ...baseFactors(price),
    lines: lines.map(({ item, count, rate }) => [item, count, rate]),
    ...(tiers.length > 0 && { tiers }),
    ...(unpriced.length > 0 && { unpriced }),
    ...(usage.reasoning > 0 && { reasoning_tokens: usage.reasoning }),
    ...(usage.imageInput > 0 && { image_tokens: usage.imageInput }),
    ...(usage.estimated && { estimated: true }),
  }
}

function baseFactors({ groupRatio, userGroupRatio, quotaPerUnit, priceName, basis, version }: PriceBase) {
  return {
    group_ratio: groupRatio,
    ...(userGroupRatio !== undefined && { user_group_ratio: userGroupRatio }),
    quota_per_unit: quotaPerUnit,
    price_name: priceName,
    ...(basis !== undefined && { price_basis: basis }),
    ...(version !== undefined && { price_version: version }),
  }
}

function tokenFactors(price: TokenPrice, usage: Usage, at: Date) {
  const ratios = ratiosOf(price, at)
  const writes = usage.cacheWrite5m + usage.cacheWrite1h
  return {
    model_price: -1,
    model_ratio: ratios.modelRatio,
    completion_ratio: ratios.completionRatio ?? 0,
    cache_tokens: usage.cacheRead,
    cache_ratio: ratios.cacheRatio,
    ...(writes > 0 && { cache_creation_tokens: writes, cache_creation_ratio: ratios.cacheWriteRatio }),
    ...(usage.cacheWrite1h > 0 && {
      cache_creation_1h_tokens: usage.cacheWrite1h,
      cache_creation_1h_ratio: ratios.cacheWrite1hRatio,
    }),
    ...(usage.audioInput + usage.audioCached + usage.audioOutput > 0 && {
      audio: true,
      audio_input: usage.audioInput + usage.audioCached,
      audio_output: usage.audioOutput,
      text_input: usage.input + usage.cacheRead,
      text_output: usage.output + usage.reasoning,
      audio_ratio: ratios.audioRatio,
      audio_completion_ratio: ratios.audioCompletionRatio,
    }),
  }
}

function callFactors({ callPrice, image }: CallPrice, usage: Usage) {
  const { pieces } = usage
  if (pieces === undefined) {
    return {
      model_price: callPrice,
      model_ratio: 0,
      completion_ratio: 0,
      cache_tokens: usage.cacheRead,
      cache_ratio: 0,
    }
  }
  if (!image) return { model_price: callPrice, pieces }
  return {
    // The price before the group ratio; its factors follow.
    model_price: toNumber(times(pieces, multiply(callPrice, image.modelRatio, image.sizeRatio, image.qualityRatio))),
    pieces,
    piece_price: callPrice,
    image_size: image.size,
    image_quality: image.quality,
    image_size_ratio: image.sizeRatio,
    image_quality_ratio: image.qualityRatio,
    image_model_ratio: image.modelRatio,
  }
}
