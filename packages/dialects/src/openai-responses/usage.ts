import type { Tree } from '../tree.ts'
import type { UsageBuckets } from '../usage-buckets.ts'

/** The counts in the words of this dialect. */
export function writeUsage(usage: UsageBuckets): Tree {
  const written = usage.cacheWrite5m + usage.cacheWrite1h
  const input = usage.input + usage.cacheRead + written + usage.image + usage.audioIn
  const output = usage.output + usage.reasoning + usage.audioOut
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: written,
      ...(usage.audioIn > 0 && { audio_tokens: usage.audioIn }),
      ...(usage.image > 0 && { image_tokens: usage.image }),
    },
    output_tokens: output,
    output_tokens_details: {
      reasoning_tokens: usage.reasoning,
      ...(usage.audioOut > 0 && { audio_tokens: usage.audioOut }),
    },
    total_tokens: input + output,
  }
}
