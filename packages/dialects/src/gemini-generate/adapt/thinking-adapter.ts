import type { BodyChanges } from '../../canonical/index.ts'
import { asCount, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { clampBudget, MOST_OUTPUT } from '../model-names.ts'
import { withConfig } from './with-config.ts'

interface ThinkingSettings {
  readonly enabled: boolean
  /** Of the longest answer, for thoughts. */
  readonly share: number
  /** Names without suffixes. */
  readonly supported: readonly string[]
  maxOutputOf(model: string): number | undefined
}

interface Adapted {
  /** The name without the suffix that was meant for us. */
  readonly model: string
  readonly changes: BodyChanges
}

const SUFFIX = /-(?:thinking(?:-(\d+))?|nothinking)$/

/**
 * Names that end in `-thinking`, `-thinking-N` or `-nothinking` ask for a thinking budget, and the models an operator
 * lists show their thoughts. What the client set itself stays.
 */
export function thinkingAdapter(tree: JsonObject, model: string, settings: ThinkingSettings): Adapted {
  const [suffix, tokens] = SUFFIX.exec(model) ?? []
  const base = suffix === undefined ? model : model.slice(0, -suffix.length)
  // A suffix on a name that is not listed belongs to the name.
  if (!settings.enabled || !settings.supported.includes(base)) return { model, changes: {} }

  const config = asJsonObject(tree.generationConfig ?? tree.generation_config)
  const own = asJsonObject(config?.thinkingConfig ?? config?.thinking_config) ?? {}
  const isSet = ['thinkingBudget', 'thinking_budget', 'thinkingLevel', 'thinking_level'].some((name) => name in own)
  const budget = suffix === undefined || isSet ? undefined : clampBudget(base, budgetOf())
  const shows = suffix !== '-nothinking' && !('includeThoughts' in own || 'include_thoughts' in own)
  const thinking = {
    ...own,
    ...(budget !== undefined && { thinkingBudget: budget }),
    ...(shows && { includeThoughts: true }),
  }
  const isChanged = budget !== undefined || shows
  return { model: base, changes: isChanged ? withConfig(tree, 'thinkingConfig', 'thinking_config', thinking) : {} }

  function budgetOf(): number {
    if (suffix === '-nothinking') return 0
    if (tokens !== undefined) return Number(tokens)
    const asked = asCount(config?.maxOutputTokens ?? config?.max_output_tokens)
    return settings.share * (asked || settings.maxOutputOf(base) || MOST_OUTPUT)
  }
}
