import { asCount, asList, asText, asTree, type Tree } from '../../tree.ts'
import type { UsageBuckets } from '../../usage-buckets.ts'

/** What Google counts for a picture it made, where it does not say. */
const PER_IMAGE_MADE = 258

/** Splits `usageMetadata` into buckets. Parts are bounded by their whole, so that the buckets add up to the totals. */
export function readUsage(usage: Tree, imagesMade = 0): UsageBuckets {
  const prompt = asCount(usage.promptTokenCount)
  const cacheRead = Math.min(prompt, asCount(usage.cachedContentTokenCount))
  const cached = usage.cacheTokensDetails
  const fresh = prompt - cacheRead
  // What of a kind was in the cache is counted there.
  const audioIn = Math.min(fresh, Math.max(0, countOf(usage.promptTokensDetails, AUDIO) - countOf(cached, AUDIO)))
  const image = Math.min(
    fresh - audioIn,
    Math.max(0, countOf(usage.promptTokensDetails, IMAGE) - countOf(cached, IMAGE)),
  )
  const candidates = asCount(usage.candidatesTokenCount) || imagesMade * PER_IMAGE_MADE
  const audioOut = Math.min(candidates, countOf(usage.candidatesTokensDetails, AUDIO))
  return {
    // Results of tools that Google runs are read by the model like a prompt.
    input: fresh - audioIn - image + asCount(usage.toolUsePromptTokenCount),
    cacheRead,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: candidates - audioOut,
    reasoning: asCount(usage.thoughtsTokenCount),
    image,
    audioIn,
    audioOut,
  }
}

const AUDIO = 'AUDIO'
const IMAGE = 'IMAGE'

function countOf(details: unknown, modality: string): number {
  let sum = 0
  for (const detail of asList(details)) {
    const { modality: of, tokenCount } = asTree(detail) ?? {}
    if (asText(of) === modality) sum += asCount(tokenCount)
  }
  return sum
}

/** The counts as a client of this dialect reads them. */
export function writeUsage(usage: UsageBuckets): Tree {
  const { cacheRead, audioIn, image, reasoning, audioOut } = usage
  const text = usage.input + usage.cacheWrite5m + usage.cacheWrite1h
  const prompt = text + cacheRead + audioIn + image
  const candidates = usage.output + audioOut
  return {
    promptTokenCount: prompt,
    ...(cacheRead > 0 && { cachedContentTokenCount: cacheRead }),
    candidatesTokenCount: candidates,
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
    totalTokenCount: prompt + candidates + reasoning,
    // Counts of other kinds are told in details, beside that of texts.
    ...(audioIn + image > 0 && {
      promptTokensDetails: details({ TEXT: text + cacheRead, AUDIO: audioIn, IMAGE: image }),
    }),
    ...(audioOut > 0 && { candidatesTokensDetails: details({ TEXT: usage.output, AUDIO: audioOut }) }),
  }
}

function details(counts: Readonly<Record<string, number>>): Tree[] {
  return Object.entries(counts).flatMap(([modality, tokenCount]) => (tokenCount > 0 ? [{ modality, tokenCount }] : []))
}
