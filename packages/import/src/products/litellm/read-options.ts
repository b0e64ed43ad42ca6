import { optionDefinition, parseOption, ApiError, type OptionKey, type Settings } from '@tidegate/contract'
import type { ImportOption } from '../../model/import-data.ts'
import type { Report } from '../../report.ts'
import type { Config, Deployment } from './config.ts'

/** The price of an input token at a ratio of 1, in dollars. */
const DOLLARS_PER_RATIO = 0.000_002
const DIGITS = 6

/** Router settings with the same meaning here, and the prices in the file merged with those of the site. */
export function readSettings(config: Config, settings: Settings, report: Report): ImportOption[] {
  const { num_retries: retries, model_group_alias: alias, ...router } = config.router_settings
  const { num_retries: proxyRetries, ...proxy } = config.litellm_settings
  const texts: [OptionKey, string | undefined][] = [
    ['RetryTimes', integerText(retries ?? proxyRetries)],
    ['global_model_mapping', aliasText(alias)],
    ...priceTexts(config.model_list, settings),
  ]
  for (const name of [...Object.keys(router), ...Object.keys(proxy), ...Object.keys(config.general_settings)]) {
    report.counts.options.found += 1
    report.note('options', 'left', 'does not exist here', name)
  }
  return texts.flatMap(([key, written]) => {
    if (written === undefined) return []
    report.counts.options.found += 1
    try {
      return [{ key, text: optionDefinition(key).format(parseOption(key, written)) }]
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      report.note('options', 'left', 'value is not valid here', `${key}: ${error.message}`)
      return []
    }
  })
}

function integerText(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : undefined
}

/** An alias becomes a virtual model with one target. */
function aliasText(alias: unknown): string | undefined {
  if (typeof alias !== 'object' || alias === null) return undefined
  const targets = Object.entries(alias).flatMap(([name, target]: [string, unknown]) => {
    const model = typeof target === 'string' ? target : (target as { model?: unknown } | null)?.model
    return typeof model === 'string' ? [[name, [{ model, priorities: 0 }]] as const] : []
  })
  return targets.length === 0 ? undefined : JSON.stringify({ mapping: Object.fromEntries(targets) })
}

function priceTexts(deployments: readonly Deployment[], settings: Settings): [OptionKey, string][] {
  const ratios: Record<string, number> = {}
  const completionRatios: Record<string, number> = {}
  for (const { model_name, litellm_params, model_info } of deployments) {
    const input = litellm_params.input_cost_per_token ?? model_info.input_cost_per_token
    const output = litellm_params.output_cost_per_token ?? model_info.output_cost_per_token
    if (input === undefined) continue
    ratios[model_name] = round(input / DOLLARS_PER_RATIO)
    if (output !== undefined && input > 0) completionRatios[model_name] = round(output / input)
  }
  if (Object.keys(ratios).length === 0) return []
  return [
    ['ModelRatio', JSON.stringify({ ...settings.ModelRatio, ...ratios })],
    ['CompletionRatio', JSON.stringify({ ...settings.CompletionRatio, ...completionRatios })],
  ]
}

/** Removes rounding errors of the division. */
function round(value: number): number {
  return Number(value.toFixed(DIGITS))
}
