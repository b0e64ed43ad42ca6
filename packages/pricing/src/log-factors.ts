import { multiply, times, toNumber } from './decimal.ts'
import type { CallPrice, PriceFrame, TokenPrice } from './price.ts'
import type { Receipt } from './receipt.ts'
import type { Usage } from './usage.ts'

/** The factors of a bill under the names the log has for them. Beside the row's token counts, `recompute` needs no more. */
export function logFactors({ price }: Receipt, usage: Usage): Record<string, unknown> {
  return {
    ...(price.kind === 'token' ? tokenFactors(price, usage) : callFactors(price, usage)),
    ...frameFactors(price),
    ...(usage.reasoning > 0 && { reasoning_tokens: usage.reasoning }),
    ...(usage.image > 0 && { image_tokens: usage.image }),
    ...(usage.estimated && { estimated: true }),
  }
}

function frameFactors({ groupRatio, userGroupRatio, quotaPerUnit, priceName, basis, version }: PriceFrame) {
  return {
    group_ratio: groupRatio,
    ...(userGroupRatio !== undefined && { user_group_ratio: userGroupRatio }),
    quota_per_unit: quotaPerUnit,
    price_name: priceName,
    ...(basis !== undefined && { price_basis: basis }),
    ...(version !== undefined && { price_version: version }),
  }
}

function tokenFactors(price: TokenPrice, usage: Usage) {
  const writes = usage.cacheWrite5m + usage.cacheWrite1h
  return {
    model_price: -1,
    model_ratio: price.modelRatio,
    completion_ratio: price.completionRatio,
    cache_tokens: usage.cacheRead,
    cache_ratio: price.cacheRatio,
    ...(writes > 0 && { cache_creation_tokens: writes, cache_creation_ratio: price.cacheWriteRatio }),
    ...(usage.cacheWrite1h > 0 && {
      cache_creation_1h_tokens: usage.cacheWrite1h,
      cache_creation_1h_ratio: price.cacheWrite1hRatio,
    }),
    ...(usage.audioIn + usage.audioOut > 0 && audioFactors(price, usage)),
  }
}

function audioFactors(price: TokenPrice, usage: Usage) {
  return {
    audio: true,
    audio_input: usage.audioIn,
    audio_output: usage.audioOut,
    text_input: usage.input + usage.cacheRead,
    text_output: usage.output + usage.reasoning,
    audio_ratio: price.audioRatio,
    audio_completion_ratio: price.audioCompletionRatio,
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
    // What the call cost before the group's ratio; the figures it was made of follow.
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
