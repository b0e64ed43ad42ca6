import { DEFAULT_PRICES } from '@tidegate/contract'
import { toFixed } from './decimal.ts'
import { figure, type Figures } from './figure.ts'

/** What an output token costs next to an input token, when the operator has not said so. */
export interface CompletionRule {
  readonly ratio: number
  /** The vendor's price is known: it wins over the operator's map. */
  readonly binding: boolean
}

const binding = (ratio: number): CompletionRule => ({ ratio, binding: true })
const usual = (ratio: number): CompletionRule => ({ ratio, binding: false })

/** First match wins, so dated and special names stand before their family. */
const RULES: readonly [RegExp, CompletionRule][] = [
  [/^gpt-4-(all|gizmo)/, usual(2)],
  [/^gpt-4o-gizmo/, usual(3)],
  [/^gpt-4o-2024-05-13/, binding(3)],
  [/^gpt-4o/, binding(4)],
  [/^gpt-4\.5-preview/, binding(2)],
  [/^gpt-4-turbo|^gpt-4.*-110[56]$/, binding(3)],
  [/^gpt-4(?![.\d])/, usual(2)],
  [/^o[13](?!\d)/, binding(4)],
  [/^chatgpt-4o-latest/, binding(3)],
  [/^claude-(3|sonnet-4|opus-4)/, binding(5)],
  [/^claude-(2|instant)/, binding(3)],
  [/^gpt-3\.5-turbo$|^gpt-3\.5.*0125$/, binding(3)],
  [/^gpt-3\.5.*1106$/, binding(2)],
  [/^gpt-3\.5/, binding(4 / 3)],
  [/^mistral-/, binding(3)],
  [/^gemini-1\.0-pro|^gemini-1\.5-pro/, binding(4)],
  [/^gemini-2\.5-pro-preview/, binding(8)],
  [/^gemini-2\.5-flash-preview.*-nothinking$/, usual(4)],
  [/^gemini-2\.5-flash-preview/, usual(3.5 / 0.6)],
  [/^gemini-/, usual(4)],
  [/^command-r-(plus-)?08-2024$/, binding(4)],
  [/^command-r-plus$/, binding(5)],
  [/^command-r$/, binding(3)],
  [/^command/, usual(4)],
  [/^deepseek-(chat|reasoner)$/, binding(4)],
  [/^ERNIE-(Speed-|Lite-|Character|Functions)/, binding(2)],
  [/^llama2-70b-4096$/, binding(1.25)],
  [/^llama3-8b-8192$/, binding(2)],
  [/^llama3-70b-8192$/, binding(1.339)],
]

/**
 * The ratio a call is billed with. A binding rule speaks for a family as its vendor once priced it; where the default
 * list knows a member at another ratio (mistral-medium at 5, not 3), the list is right about that member and the rule
 * no longer binds. Names with a slash are somebody's own resale: the operator's figure comes first.
 */
export function completionRatioOf(configured: Figures, model: string): number {
  const set = figure(configured, model)
  const listed = figure(DEFAULT_PRICES.completionRatio, model)
  const rule = builtInCompletionRatio(model)
  const binds = rule.binding && (listed === undefined || toFixed(listed) === toFixed(rule.ratio))
  if (binds && (set === undefined || !model.includes('/'))) return rule.ratio
  return set ?? listed ?? rule.ratio
}

export function builtInCompletionRatio(model: string): CompletionRule {
  const known = remembered.get(model)
  if (known) return known
  if (remembered.size >= MOST_REMEMBERED) remembered.clear() // whoever asks for made-up names must not fill the memory
  const rule = findRule(model)
  remembered.set(model, rule)
  return rule
}

const MOST_REMEMBERED = 5_000
const remembered = new Map<string, CompletionRule>()

function findRule(model: string): CompletionRule {
  return RULES.find(([pattern]) => pattern.test(model))?.[1] ?? usual(ratioOfPlainName(model) ?? 1)
}

/** Dates and efforts do not change what a model costs: `o4-mini-high` is priced like `o4-mini`. */
function ratioOfPlainName(model: string): number | undefined {
  for (let end = model.length; end > 0; end = model.lastIndexOf('-', end - 1)) {
    const listed = figure(DEFAULT_PRICES.completionRatio, model.slice(0, end))
    if (listed !== undefined) return listed
  }
  return undefined
}
