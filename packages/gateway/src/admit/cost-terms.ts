import type { Fee, FeeCount, ServiceTerms } from '@tidegate/contract'
import { asList, asText, asJsonObject, type DialectId, type RequestHead, type JsonObject } from '@tidegate/dialects'

/** The options of a request that change its price. */
export interface CostTerms {
  readonly terms?: Pick<ServiceTerms, 'serviceTier' | 'speed' | 'region'>
  /** The most units of tools that the provider runs. */
  readonly fees: readonly FeeCount[]
  /** Input tokens that those tools may add. */
  readonly searchTokens: number
}

/** How often a tool is expected to run where the request sets no limit. */
const DEFAULT_RUNS = 5
/** No response runs a tool more often, even if its request sets a higher limit. */
const MAX_RUNS = 1000
/** Input tokens that the results of a search add. */
const TOKENS_PER_SEARCH = 8000

/** Reads the options that change the price, in any protocol. */
export function costTerms({ dialect, body: json }: Pick<RequestHead, 'dialect' | 'body'>): CostTerms {
  const terms = termsOf(json)
  const tools = toolsOf(json)
  const units = tools.flatMap((tool) => {
    const fee = feeOfTool(tool, dialect)
    return fee === undefined ? [] : [{ fee, count: runsOf(tool, json) }]
  })
  const searchesByOption = dialect === 'openai-chat' && asJsonObject(json.web_search_options) !== undefined
  if (searchesByOption) units.push({ fee: 'webSearch', count: DEFAULT_RUNS })
  const searches = units.filter(({ fee }) => SEARCHES.has(fee)).reduce((sum, { count }) => sum + count, 0)
  const fees: FeeCount[] = [
    ...units,
    // The provider of another protocol charges the same searches under its own name.
    ...units.flatMap(({ fee, count }) => {
      if (fee === 'webSearch') return [{ fee: 'webSearchQuery', count } as const, GROUNDED_PROMPT]
      return fee === 'webSearchQuery' ? [{ fee: 'webSearch', count } as const, GROUNDED_PROMPT] : []
    }),
    ...(searchesByOption ? ([{ fee: 'webSearchByContext', count: 1 }] as const) : []),
  ]
  return { ...(Object.keys(terms).length > 0 && { terms }), fees, searchTokens: searches * TOKENS_PER_SEARCH }
}

/** Some providers accept one tool in place of a list. */
export function toolsOf({ tools }: JsonObject): JsonObject[] {
  const one = asJsonObject(tools)
  return one ? [one] : asList(tools).map((tool) => asJsonObject(tool) ?? {})
}

/** Earlier Gemini models charge once for all searches of a request. */
const GROUNDED_PROMPT: FeeCount = { fee: 'groundedPrompt', count: 1 }
const SEARCHES = new Set<Fee>(['webSearch', 'webSearchQuery', 'xSearch', 'collectionsSearch', 'fileSearch'])
const STANDARD_TIERS = new Set(['', 'auto', 'default', 'standard', 'standard_only', 'scale'])

function termsOf(json: JsonObject): NonNullable<CostTerms['terms']> {
  const tiers = [json.service_tier, json.serviceTier].map((tier) => asText(tier).toLowerCase())
  const serviceTier = tiers.find((tier) => !STANDARD_TIERS.has(tier))
  return {
    ...(serviceTier !== undefined && { serviceTier }),
    ...(json.speed === 'fast' && { speed: 'fast' }),
    ...(json.inference_geo === 'us' && { region: 'us' }),
  }
}

/** Tools by the beginning of their type. Many types end with a date. */
const TOOL_FEES: readonly [type: RegExp, fee: Fee][] = [
  [/^web_search/, 'webSearch'],
  [/^web_fetch/, 'webFetch'],
  [/^x_search/, 'xSearch'],
  [/^(file_search|collections_search)/, 'fileSearch'],
  [/^(code_interpreter|shell$)/, 'codeSession'],
  [/^code_execution/, 'codeExecution'],
  [/^google_search/, 'webSearchQuery'],
]

const GOOGLE_SEARCHES = ['googleSearch', 'google_search', 'googleSearchRetrieval', 'google_search_retrieval']

/** The fee of a tool that the provider runs. Undefined for client functions and for tools that cost tokens only. */
export function feeOfTool(tool: JsonObject, dialect: DialectId): Fee | undefined {
  if (GOOGLE_SEARCHES.some((name) => tool[name] !== undefined)) return 'webSearchQuery'
  const type = asText(tool.type)
  // Google charges only the tokens of the code.
  if (dialect === 'gemini-interactions' && type === 'code_execution') return undefined
  return TOOL_FEES.find(([pattern]) => pattern.test(type))?.[1]
}

function runsOf({ max_uses: ofTool }: JsonObject, { max_tool_calls: ofRequest }: JsonObject): number {
  for (const limit of [ofTool, ofRequest]) {
    if (typeof limit === 'number' && limit >= 1) return Math.min(MAX_RUNS, Math.ceil(limit))
  }
  return DEFAULT_RUNS
}
