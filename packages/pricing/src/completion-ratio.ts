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
]

export function builtInCompletionRatio(model: string): CompletionRule {
  return RULES.find(([pattern]) => pattern.test(model))?.[1] ?? usual(1)
}
