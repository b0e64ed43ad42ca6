import { inputTokens, limitsOf, outputTokens, type TokenCounts, type UsageReport } from '@tidegate/contract'
import { asText, type RequestHead } from '@tidegate/dialects'
import { feeOfTool, toolsOf } from '../cost-terms.ts'

/** No model reads more at once. */
export const LARGEST_CONTEXT = 20_000_000
/** A provider that runs tools reads the context again after each. */
const MOST_TOOL_ROUNDS = 100
/** The catalogue may not know yet that a model takes more. Then the tokens counted here are near those reported. */
const NEAR = 2

/** The most tokens that one response of the model can report as input, or as output. */
export function mostTokens(model: string, { tree }: Pick<RequestHead, 'tree'>): number {
  const context = limitsOf(model)?.context ?? LARGEST_CONTEXT
  const runsTools = toolsOf(tree).some((tool) => feeOfTool(tool) !== undefined || asText(tool.type) === 'mcp')
  const choices = typeof tree.n === 'number' && tree.n > 1 ? tree.n : 1
  return context * Math.max(choices, runsTools ? MOST_TOOL_ROUNDS : 1)
}

/** More than any response uses of a tool that the provider runs. */
const MOST_UNITS = 10_000

/** Whether a model can have used what a response reports. */
export function isPlausible(usage: UsageReport, counted: { mostTokens: number; promptTokens: number }): boolean {
  const { fees = [], parts = [] } = usage.terms ?? {}
  return (
    [usage, ...parts].every((tokens) => areTokensPlausible(tokens, counted)) &&
    [...fees, ...parts.flatMap((part) => part.fees ?? [])].every(({ count }) => count >= 0 && count <= MOST_UNITS)
  )
}

function areTokensPlausible(
  tokens: TokenCounts,
  { mostTokens: most, promptTokens }: { mostTokens: number; promptTokens: number },
): boolean {
  const counts = Object.values(tokens).filter((count) => typeof count === 'number')
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0)) return false
  return inputTokens(tokens) <= Math.max(most, promptTokens * NEAR) && outputTokens(tokens) <= most
}
