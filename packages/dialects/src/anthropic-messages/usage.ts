import { asCount, asList, asTree, type Tree } from '../tree.ts'
import type { UsageBuckets } from '../usage-buckets.ts'

/** The counts of a whole answer, or those a stream has come to. */
export function readUsage(usage: Tree): UsageBuckets {
  const total = readCounts(usage)
  // What the vendor spent on summing up a long conversation is in no other count.
  for (const value of asList(usage.iterations)) {
    const iteration = asTree(value)
    if (iteration?.type === 'compaction') addCounts(total, readCounts(iteration))
  }
  return total
}

/** Later counts are running totals; a count that is missing or null stays what it was. */
export function laterUsage(earlier: Tree, later: Tree): Tree {
  const merged: Record<string, unknown> = { ...earlier }
  for (const [name, value] of Object.entries(later)) if (value !== null && value !== undefined) merged[name] = value
  return merged
}

export function writeUsage(usage: UsageBuckets) {
  return {
    input_tokens: usage.input + usage.image + usage.audioIn,
    cache_creation_input_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWrite5m,
      ephemeral_1h_input_tokens: usage.cacheWrite1h,
    },
    output_tokens: usage.output + usage.reasoning + usage.audioOut,
    output_tokens_details: { thinking_tokens: usage.reasoning },
  }
}

type Counts = { -readonly [Name in keyof UsageBuckets]: number }

function readCounts(usage: Tree): Counts {
  const split = asTree(usage.cache_creation)
  const longWrites = asCount(split?.ephemeral_1h_input_tokens)
  const writes = asCount(usage.cache_creation_input_tokens ?? longWrites + asCount(split?.ephemeral_5m_input_tokens))
  const cacheWrite1h = Math.min(longWrites, writes)
  const output = asCount(usage.output_tokens)
  const reasoning = Math.min(asCount(asTree(usage.output_tokens_details)?.thinking_tokens), output)
  return {
    input: asCount(usage.input_tokens), // leaves out what was read from or written to the cache
    cacheRead: asCount(usage.cache_read_input_tokens),
    cacheWrite5m: writes - cacheWrite1h,
    cacheWrite1h,
    output: output - reasoning,
    reasoning,
    image: 0,
    audioIn: 0,
    audioOut: 0,
  }
}

function addCounts(total: Counts, more: Counts): void {
  for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += more[name]
}
