import type { BillingFacts, BillingPart, FeeCount } from '@tidegate/contract'
import { asCount, asList, asText, asTree, type Tree } from './tree.ts'

/** Where a response reports what it is billed by. */
export type BillingProtocol =
  | 'openai-chat'
  | 'openai-responses'
  | 'openai-images'
  | 'openai-realtime'
  | 'anthropic-messages'
  | 'gemini-generate'

/** Headers of the response that belong to its price. */
export interface BillingHeaders {
  readonly 'x-gemini-service-tier'?: string
}

/** Reads what a response is billed by: exclusive buckets, the tier that was served, and units with a fee. */
export function billingFacts(protocol: BillingProtocol, response: Tree, headers: BillingHeaders = {}): BillingFacts {
  switch (protocol) {
    case 'openai-chat':
      return chatFacts(response)
    case 'openai-responses':
      return responsesFacts(response)
    case 'openai-images':
      return imageFacts(response)
    case 'openai-realtime':
      return realtimeFacts(response)
    case 'anthropic-messages':
      return anthropicFacts(response)
    case 'gemini-generate':
      return geminiFacts(response, headers)
  }
}

/** OpenAI and those compatible with it. Cached, written and audio tokens are parts of the prompt. */
function chatFacts(response: Tree): BillingFacts {
  const usage = asTree(response.usage) ?? {}
  const details = asTree(usage.prompt_tokens_details) ?? {}
  const made = asTree(usage.completion_tokens_details) ?? {}
  // DeepSeek and Kimi report cached tokens beside the details.
  const cached = asCount(details.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens)
  const total = asCount(usage.prompt_tokens)
  const audio = part(details.audio_tokens, total)
  const cacheRead = part(cached, total - audio)
  const cacheWrite5m = part(details.cache_write_tokens, total - audio - cacheRead)
  return {
    usage: {
      input: total - audio - cacheRead - cacheWrite5m,
      cacheRead,
      cacheWrite5m,
      audioInput: audio,
      citation: asCount(usage.citation_tokens),
      ...outputOf(asCount(usage.completion_tokens), made),
    },
    inputLength: total,
    fees: counted({ webSearch: asCount(usage.num_search_queries) }),
    ...served(response),
  }
}

function responsesFacts(response: Tree): BillingFacts {
  const usage = asTree(response.usage) ?? {}
  const details = asTree(usage.input_tokens_details) ?? {}
  const total = asCount(usage.input_tokens)
  const cacheRead = part(details.cached_tokens, total)
  const cacheWrite5m = part(details.cache_write_tokens, total - cacheRead)
  return {
    usage: {
      input: total - cacheRead - cacheWrite5m,
      cacheRead,
      cacheWrite5m,
      ...outputOf(asCount(usage.output_tokens), asTree(usage.output_tokens_details) ?? {}),
    },
    inputLength: total,
    fees: [...hostedTools(asList(response.output)), ...serverSideTools(usage)],
    ...served(response),
  }
}

/** Opening a page that a search found costs nothing, and neither does a search that failed. */
function hostedTools(items: readonly unknown[]): FeeCount[] {
  const trees = items.map((item) => asTree(item) ?? {})
  const ofType = (...types: string[]) => trees.filter(({ type }) => types.includes(asText(type)))
  const isSearch = ({ status, action }: Tree) =>
    status === 'completed' && ['', 'search'].includes(asText(asTree(action)?.type))
  const containers = new Set(ofType('code_interpreter_call', 'shell_call').map((item) => asText(item.container_id)))
  return counted({
    webSearch: ofType('web_search_call').filter(isSearch).length,
    fileSearch: ofType('file_search_call').length,
    codeSession: containers.size,
  })
}

/** xAI runs its tools itself and counts them in the usage. */
function serverSideTools(usage: Tree): FeeCount[] {
  const tools = asTree(usage.server_side_tool_usage_details) ?? {}
  return counted({
    webSearch: asCount(tools.web_search_calls),
    xSearch: asCount(tools.x_search_calls),
    codeExecution: asCount(tools.code_interpreter_calls),
    collectionsSearch: asCount(tools.file_search_calls),
  })
}

function imageFacts(response: Tree): BillingFacts {
  const usage = asTree(response.usage)
  if (!usage) return { usage: {}, inputLength: 0, fees: counted({ imageBySizeQuality: asList(response.data).length }) }
  const read = asTree(usage.input_tokens_details) ?? {}
  const made = asTree(usage.output_tokens_details)
  const total = asCount(usage.input_tokens)
  const output = asCount(usage.output_tokens)
  const imageInput = part(read.image_tokens, total)
  const imageOutput = made ? part(made.image_tokens, output) : output
  return {
    usage: { input: total - imageInput, imageInput, imageOutput, output: output - imageOutput },
    inputLength: total,
    fees: [],
  }
}

function realtimeFacts(event: Tree): BillingFacts {
  const usage = asTree(asTree(event.response)?.usage) ?? {}
  const read = asTree(usage.input_token_details) ?? {}
  const cached = asTree(read.cached_tokens_details) ?? {}
  const made = asTree(usage.output_token_details) ?? {}
  const split = (kind: string) => {
    const total = asCount(read[kind])
    const fromCache = part(cached[kind], total)
    return { fresh: total - fromCache, cached: fromCache }
  }
  const [text, audio, image] = [split('text_tokens'), split('audio_tokens'), split('image_tokens')]
  return {
    usage: {
      input: text.fresh,
      cacheRead: text.cached,
      audioInput: audio.fresh,
      audioCached: audio.cached,
      imageInput: image.fresh,
      imageCached: image.cached,
      output: asCount(made.text_tokens),
      audioOutput: asCount(made.audio_tokens),
    },
    inputLength: asCount(usage.input_tokens),
    fees: [],
  }
}

function anthropicFacts(response: Tree): BillingFacts {
  const usage = asTree(response.usage) ?? {}
  const tools = asTree(usage.server_tool_use) ?? {}
  const iterations = asList(usage.iterations).map((iteration) => anthropicPart(asTree(iteration) ?? {}))
  const tier = asText(usage.service_tier)
  const geography = asText(usage.inference_geo)
  return {
    ...anthropicPart(usage),
    fees: counted({
      webSearch: asCount(tools.web_search_requests),
      webFetch: asCount(tools.web_fetch_requests),
    }),
    // Priority is prepaid capacity: list prices.
    ...(tier === 'batch' && { serviceTier: tier }),
    ...(asText(usage.speed) !== '' && { speed: asText(usage.speed) }),
    ...(geography === 'us' && { region: geography }),
    // The counts at the top leave out all calls but the last.
    ...(iterations.length > 0 && { parts: iterations }),
  }
}

/** Fresh, read and written tokens exclude each other here. */
function anthropicPart(usage: Tree): BillingPart {
  const writes = asTree(usage.cache_creation)
  const written = asCount(usage.cache_creation_input_tokens)
  const cacheWrite1h = part(writes?.ephemeral_1h_input_tokens, written)
  const output = asCount(usage.output_tokens)
  const reasoning = part(asTree(usage.output_tokens_details)?.thinking_tokens, output)
  const [input, cacheRead] = [asCount(usage.input_tokens), asCount(usage.cache_read_input_tokens)]
  return {
    ...(asText(usage.model) !== '' && { model: asText(usage.model) }),
    usage: {
      input,
      cacheRead,
      cacheWrite5m: written - cacheWrite1h,
      cacheWrite1h,
      reasoning,
      output: output - reasoning,
    },
    inputLength: input + cacheRead + written,
  }
}

function geminiFacts(response: Tree, headers: BillingHeaders): BillingFacts {
  const usage = asTree(response.usageMetadata) ?? {}
  const prompt = asCount(usage.promptTokenCount)
  const total = prompt + asCount(usage.toolUsePromptTokenCount)
  const read = byModality(usage.promptTokensDetails)
  const cached = byModality(usage.cacheTokensDetails)
  const made = byModality(usage.candidatesTokensDetails)
  const allCached = part(usage.cachedContentTokenCount, prompt)
  const audioCached = part(cached.AUDIO, allCached)
  const audioInput = part(read.AUDIO, total) - audioCached
  const output = asCount(usage.candidatesTokenCount)
  const imageOutput = part(made.IMAGE, output)
  const audioOutput = part(made.AUDIO, output - imageOutput)
  return {
    usage: {
      input: total - allCached - Math.max(0, audioInput),
      cacheRead: allCached - audioCached,
      audioInput: Math.max(0, audioInput),
      audioCached,
      reasoning: asCount(usage.thoughtsTokenCount),
      imageOutput,
      audioOutput,
      output: output - imageOutput - audioOutput,
    },
    inputLength: prompt, // results of tools are billed, and do not count towards a tier
    fees: groundingOf(response),
    ...tierOf(headers['x-gemini-service-tier'] ?? asText(usage.serviceTier)),
  }
}

/** Gemini 3 bills every query, earlier models the prompt: a card has a price for one of them. */
function groundingOf(response: Tree): FeeCount[] {
  const queries = asList(response.candidates).flatMap((candidate) =>
    asList(asTree(asTree(candidate)?.groundingMetadata)?.webSearchQueries).map(asText),
  )
  const unique = new Set(queries.filter((query) => query !== ''))
  return counted({ webSearchQuery: unique.size, groundedPrompt: Math.min(1, unique.size) })
}

function byModality(details: unknown): Readonly<Record<string, number>> {
  const trees = asList(details).map((detail) => asTree(detail) ?? {})
  return Object.fromEntries(trees.map(({ modality, tokenCount }) => [asText(modality), asCount(tokenCount)]))
}

function outputOf(total: number, details: Tree): Pick<BillingFacts['usage'], 'output' | 'reasoning' | 'audioOutput'> {
  const audioOutput = part(details.audio_tokens, total)
  const reasoning = part(details.reasoning_tokens, total - audioOutput)
  return { output: total - audioOutput - reasoning, reasoning, audioOutput }
}

function served({ service_tier: tier }: Tree): Pick<BillingFacts, 'serviceTier'> {
  return tierOf(asText(tier))
}

const STANDARD_TIERS = new Set(['', 'default', 'standard', 'auto', 'scale'])

function tierOf(tier: string): Pick<BillingFacts, 'serviceTier'> {
  return STANDARD_TIERS.has(tier) ? {} : { serviceTier: tier }
}

/** A part that is larger than its whole is cut to it. */
function part(value: unknown, whole: number): number {
  return Math.min(asCount(value), Math.max(0, whole))
}

function counted(counts: Partial<Record<FeeCount['fee'], number>>): FeeCount[] {
  return (Object.entries(counts) as [FeeCount['fee'], number][])
    .filter(([, count]) => count > 0)
    .map(([fee, count]) => ({ fee, count }))
}
