import { MAX_QUOTA } from '@tidegate/contract'
import { readObject } from '../sources/json-object.ts'

/** What the owner chose, as far as it means the same here. Where notices go is set anew: an address must be proved. */
export function readUserSetting(
  written: string,
  note: (outcome: 'changed', reason: string) => void,
): Record<string, unknown> {
  const given = readObject(written)
  if (!given) note('changed', 'settings are no JSON object: comes without them')
  const { quota_warning_threshold: threshold, accept_unset_model_ratio_model: accepts } = given ?? {}
  const kept: Record<string, unknown> = {}
  if (typeof threshold === 'number' && threshold > 0 && threshold <= MAX_QUOTA) {
    kept.quota_warning_threshold = Math.round(threshold)
  }
  if (accepts === true) kept.accept_unset_model_ratio_model = true
  if (given?.notify_type === 'webhook') note('changed', 'notices by webhook are to be set up again')
  return kept
}
