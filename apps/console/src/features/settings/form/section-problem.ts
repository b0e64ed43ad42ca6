import type { OptionKey } from '@tidegate/contract/api'
import type { FormValues } from '../option-values.ts'

/** What is wrong between the fields of a section: the fields to mark. */
export function fallbackProblem(values: FormValues): OptionKey[] {
  const has = (key: OptionKey) => typeof values[key] === 'number'
  const single = has('fallback_single_price')
  const input = has('fallback_input_ratio')
  const completion = has('fallback_completion_ratio')
  const isMixed = single && (input || completion)
  const isIncomplete = values.fallback_pricing_enabled === true && !single && !(input && completion)
  if (isMixed) return ['fallback_single_price']
  return isIncomplete ? ['fallback_pricing_enabled'] : []
}
