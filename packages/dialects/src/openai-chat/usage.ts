import { asCount, asTree, type Tree } from '../tree.ts'
import type { UsageBuckets } from '../usage-buckets.ts'

/** Splits a vendor's `usage` into buckets. Parts are bounded by their whole, so that the buckets add up to the totals. */
export function readUsage(usage: Tree): UsageBuckets {
  if (usage.prompt_tokens === undefined && isCountedApart(usage)) return readApart(usage)

  const prompt = asCount(usage.prompt_tokens ?? usage.input_tokens)
  const completion = asCount(usage.completion_tokens ?? usage.output_tokens)
  const inDetails = asTree(usage.prompt_tokens_details ?? usage.input_tokens_details) ?? {}
  const outDetails = asTree(usage.completion_tokens_details ?? usage.output_tokens_details) ?? {}

  const input = portions(prompt, {
    // DeepSeek counts cache hits beside the details
    cacheRead: asCount(inDetails.cached_tokens ?? usage.prompt_cache_hit_tokens),
    cacheWrite5m: asCount(
      inDetails.cache_creation_tokens ?? inDetails.cached_creation_tokens ?? inDetails.cache_write_tokens,
    ),
    audioIn: asCount(inDetails.audio_tokens),
  })
  const output = portions(completion, {
    reasoning: asCount(outDetails.reasoning_tokens),
    audioOut: asCount(outDetails.audio_tokens),
  })
  return { ...input.parts, ...output.parts, input: input.rest, output: output.rest, cacheWrite1h: 0, image: 0 }
}

/** Anthropic's words for it: the input leaves out what was read from or written to a cache. */
function isCountedApart(usage: Tree): boolean {
  return usage.cache_read_input_tokens !== undefined || usage.cache_creation_input_tokens !== undefined
}

function readApart(usage: Tree): UsageBuckets {
  const writes = asTree(usage.cache_creation)
  const oneHour = asCount(writes?.ephemeral_1h_input_tokens)
  return {
    input: asCount(usage.input_tokens),
    cacheRead: asCount(usage.cache_read_input_tokens),
    cacheWrite5m: Math.max(0, asCount(usage.cache_creation_input_tokens) - oneHour),
    cacheWrite1h: oneHour,
    output: asCount(usage.output_tokens),
    reasoning: 0,
    image: 0,
    audioIn: 0,
    audioOut: 0,
  }
}

/** Takes the named parts out of a whole in turn, each at most what is left. */
function portions<Name extends string>(whole: number, wanted: Record<Name, number>) {
  let rest = whole
  const parts = {} as Record<Name, number>
  for (const name of Object.keys(wanted) as Name[]) {
    parts[name] = Math.min(wanted[name], rest)
    rest -= parts[name]
  }
  return { parts, rest }
}
