import { inputTokens, outputTokens, type UsageReport } from '@tidegate/contract'
import type { JsonObject } from '../../json/json-object.ts'

/** The counts in the words of this dialect. */
export function writeUsage(usage: UsageReport): JsonObject {
  const [input, output] = [inputTokens(usage), outputTokens(usage)]
  const audio = usage.audioInput + usage.audioCached
  const image = usage.imageInput + usage.imageCached
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead + usage.audioCached + usage.imageCached,
      cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
      ...(audio > 0 && { audio_tokens: audio }),
      ...(image > 0 && { image_tokens: image }),
    },
    output_tokens: output,
    output_tokens_details: {
      reasoning_tokens: usage.reasoning,
      ...(usage.audioOutput > 0 && { audio_tokens: usage.audioOutput }),
      ...(usage.imageOutput > 0 && { image_tokens: usage.imageOutput }),
    },
    total_tokens: input + output,
  }
}
