import { asCount, asTree, type Tree } from './tree.ts'
import type { UsageBuckets } from './usage-buckets.ts'

/** Splits a vendor's `usage` into buckets. Parts are bounded by their whole, so that the buckets add up to the totals. */
export function readUsage(usage: Tree): UsageBuckets {
  if (usage.prompt_tokens === undefined && isCountedApart(usage)) return readApart(usage)

  const prompt = asCount(usage.prompt_tokens ?? usage.input_tokens)
  const inDetails = asTree(usage.prompt_tokens_details ?? usage.input_tokens_details) ?? {}
  const outDetails = asTree(usage.completion_tokens_details ?? usage.output_tokens_details) ?? {}
  const cacheRead = asCount(
    // Counted beside the details by vendors that had a cache before OpenAI had.
    inDetails.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens,
  )
  const oneHour = asCount(asTree(usage.cache_creation)?.ephemeral_1h_input_tokens)
  const written = asCount(
    inDetails.cache_creation_tokens ?? inDetails.cached_creation_tokens ?? inDetails.cache_write_tokens,
  )
  const reasoning = asCount(outDetails.reasoning_tokens ?? usage.reasoning_tokens)
  const knowsCache = cacheRead > 0 || written > 0 || isCountedApart(usage)

  const input = portions(prompt, {
    cacheRead,
    cacheWrite1h: Math.min(oneHour, written),
    cacheWrite5m: Math.max(0, written - oneHour),
    audioIn: asCount(inDetails.audio_tokens),
    image: asCount(inDetails.image_tokens),
  })
  const output = portions(completionOf(usage, { prompt, reasoning, knowsCache }), {
    reasoning,
    audioOut: asCount(outDetails.audio_tokens),
  })
  return { ...input.parts, ...output.parts, input: input.rest, output: output.rest }
}

/**
 * Some vendors leave the thoughts out of `completion_tokens` and count them in `total_tokens` only. What the total has
 * beyond its parts is taken for thoughts, as many as are told, unless it may be tokens of a cache.
 */
function completionOf(usage: Tree, known: { prompt: number; reasoning: number; knowsCache: boolean }): number {
  const completion = asCount(usage.completion_tokens ?? usage.output_tokens)
  const beyond = asCount(usage.total_tokens) - known.prompt - completion
  if (beyond <= 0 || known.prompt === 0) return completion
  if (known.knowsCache) return beyond === known.reasoning ? completion + beyond : completion
  return completion + (known.reasoning > 0 ? Math.min(beyond, known.reasoning) : beyond)
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

/** The counts in the words of chat and plain completions. */
export function writeUsage(usage: UsageBuckets): Tree {
  const written = usage.cacheWrite5m + usage.cacheWrite1h
  const prompt = usage.input + usage.cacheRead + written + usage.image + usage.audioIn
  const completion = usage.output + usage.reasoning + usage.audioOut
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      audio_tokens: usage.audioIn,
      ...(written > 0 && { cache_write_tokens: written }),
      ...(usage.image > 0 && { image_tokens: usage.image }),
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoning, audio_tokens: usage.audioOut },
  }
}
