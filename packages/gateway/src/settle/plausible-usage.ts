import {
  inputTokens,
  limitsOf,
  modelTraits,
  outputTokens,
  type TokenCounts,
  type UsageReport,
} from '@tidegate/contract'
import { asText, type RequestHead, type JsonObject } from '@tidegate/dialects'
import { toolsOf } from '../admit/cost-terms.ts'
import type { Ports } from '../ports/index.ts'
import type { Route } from '../route/route.ts'

/** No model has a larger context. */
export const LARGEST_CONTEXT = 20_000_000
/** A provider that runs tools reads the context again after each. */
const MAX_TOOL_ROUNDS = 100
/** A model may accept more than the catalog knows. Then our count is near the reported tokens. */
const NEAR = 2

/** Members of a request that let the provider run tools. */
const PROVIDER_TOOLS = ['mcp_servers', 'web_search_options', 'search_parameters', 'enable_search', 'plugins']
const CLIENT_TYPES = new Set(['', 'function', 'custom'])

/** The most tokens that one response of the model can report as input, or as output. */
export function tokenCeiling(model: string, { body: json }: Pick<RequestHead, 'body'>): number {
  const context = limitsOf(model)?.context ?? LARGEST_CONTEXT
  const runsTools =
    modelTraits(model).runsTools ||
    PROVIDER_TOOLS.some((name) => json[name] !== undefined) ||
    toolsOf(json).some((tool) => !isClientFunction(tool))
  const choices = typeof json.n === 'number' && json.n > 1 ? json.n : 1
  return context * Math.max(choices, runsTools ? MAX_TOOL_ROUNDS : 1)
}

function isClientFunction(tool: JsonObject): boolean {
  const names = Object.keys(tool)
  if (names.some((name) => name === 'functionDeclarations' || name === 'function_declarations'))
    return names.length === 1
  return CLIENT_TYPES.has(asText(tool.type)) && (tool.function !== undefined || tool.name !== undefined)
}

/** No response uses more units of a tool that the provider runs. */
export const MAX_UNITS = 10_000

/** Whether a model can have used what a response reports. */
export function isPlausible(usage: UsageReport, counted: { maxTokens: number; promptTokens: number }): boolean {
  const { fees = [], parts = [] } = usage.terms ?? {}
  return (
    [usage, ...parts].every((tokens) => areTokensPlausible(tokens, counted)) &&
    [...fees, ...parts.flatMap((part) => part.fees ?? [])].every(({ count }) => count >= 0 && count <= MAX_UNITS)
  )
}

function areTokensPlausible(
  tokens: TokenCounts,
  { maxTokens, promptTokens }: { maxTokens: number; promptTokens: number },
): boolean {
  const counts = Object.values(tokens).filter((count) => typeof count === 'number')
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0)) return false
  return inputTokens(tokens) <= Math.max(maxTokens, promptTokens * NEAR) && outputTokens(tokens) <= maxTokens
}

/** Records on the channel that its provider reported usage that is not billed. */
export function flagChannel(
  { flag, observe }: Pick<Ports, 'flag' | 'observe'>,
  { channel, model }: Route,
  { reported, counted }: { reported: UsageReport; counted: UsageReport },
): void {
  const [reportedTokens, countedTokens] = [reported, counted].map((usage) => inputTokens(usage) + outputTokens(usage))
  flag?.({ channelId: channel.id, model, reportedTokens: reportedTokens!, countedTokens: countedTokens! })
  observe?.({ kind: 'implausible-usage', channelId: channel.id, model })
}
