import { CATALOGUE, listedModel } from './catalogue.ts'

/** How much a model takes and gives, in tokens, as its provider publishes it. */
export interface ModelLimits {
  readonly context: number
  readonly maxOutput?: number
}

/** Undefined for a model whose limits are not published. */
export function limitsOf(model: string): ModelLimits | undefined {
  const { contextWindow, maxOutput } = listedModel(model) ?? {}
  if (contextWindow === undefined) return undefined
  return { context: contextWindow, ...(maxOutput !== undefined && { maxOutput }) }
}

export function maxOutputOf(model: string): number | undefined {
  return listedModel(model)?.maxOutput
}

export type ModelAbility = 'vision' | 'tools' | 'reasoning' | 'json' | 'audio' | 'pdf' | 'cache'
const ABILITIES = ['vision', 'tools', 'reasoning', 'json', 'audio', 'pdf'] as const

/** What a model can do, as its provider publishes it. */
export function abilitiesOf(model: string): ModelAbility[] {
  const row = listedModel(model)
  if (!row) return []
  const { capabilities = {}, prices } = row
  const isCached = prices.some(({ rates }) => rates?.cacheRead !== undefined)
  return [...ABILITIES.filter((name) => Boolean(capabilities[name])), ...(isCached ? (['cache'] as const) : [])]
}

const DISPLAY_NAMES: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  xai: 'xAI',
  deepseek: 'DeepSeek',
  bytedance: 'ByteDance',
  minimax: 'MiniMax',
  iflytek: 'iFlytek',
  '01.ai': '01.AI',
}

/** Families of names that belong to one provider alone, such as everything that begins with `claude`. */
const FAMILIES = families()

/** The provider of a model, also when only its family is known; blank when neither is known. */
export function vendorOf(model: string): string {
  const provider = listedModel(model)?.provider ?? FAMILIES.get(familyOf(model)) ?? ''
  return DISPLAY_NAMES[provider] ?? provider.slice(0, 1).toUpperCase() + provider.slice(1)
}

function families(): ReadonlyMap<string, string> {
  const providers = new Map<string, Set<string>>()
  for (const { model, provider } of CATALOGUE) {
    const family = familyOf(model)
    if (family === '') continue
    providers.set(family, (providers.get(family) ?? new Set()).add(provider))
  }
  return new Map(
    [...providers].flatMap(([family, [only, ...others]]) => (only && others.length === 0 ? [[family, only]] : [])),
  )
}

function familyOf(model: string): string {
  return /^[a-z]+/.exec(model.toLowerCase())?.[0] ?? ''
}
