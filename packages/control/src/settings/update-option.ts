import { guardOption, isOptionKey, optionDefinition, parseOption, ApiError } from '@tidegate/contract'
import { auditEvents, loadSettings, options } from '@tidegate/storage'
import { checkPolicyChange } from '../auth/admin-policy.ts'
import { requireReauth } from '../auth/reauthenticate.ts'
import { changeCatalog } from '../change-catalog.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { requireMatch } from '../http/etag.ts'
import { optionSetTag, optionTag, requireOptionAccess } from './options.ts'

/**
 * Sets an option and returns its new version. All checks run before the write: a rejected value changes neither the
 * database nor a running node. The audit event includes the fields of `note`.
 */
export async function updateOption(
  deps: Pick<Deps, 'db' | 'vault' | 'catchUp' | 'now'>,
  actor: Actor,
  { key, value }: { key: string; value: string },
  { ifMatch, ...origin }: Origin & { ifMatch?: readonly string[] | undefined },
  note: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  requireOptionAccess(actor, key)
  if (!isOptionKey(key)) throw new ApiError('option_unknown', { key })
  const { secret, guard, format } = optionDefinition(key)
  const next = parseOption(key, value)

  return changeCatalog(deps, async (transaction) => {
    const settings = await loadSettings(transaction, deps.vault)
    if (ifMatch) requireMatch(ifMatch, [optionTag(deps.vault, settings, key), optionSetTag(deps.vault, settings)])
    const text = format(next)
    // An unchanged secret must not be revealed.
    const isGuarded = guard === 'reauth' && (secret || text !== format(settings[key]))
    if (isGuarded) await requireReauth({ ...deps, db: transaction }, actor, 'orToken')
    const objection = guardOption(settings, key, next)
    if (objection) throw new ApiError(objection.code, objection.details)
    await checkPolicyChange(transaction, { id: actor.id, clientIp: origin.clientIp }, key, next)
    const stored = secret ? deps.vault.seal('option', key, text) : text
    await options.put(transaction, { key, value: stored, sealed: secret }, actor.id)
    const details = { ...(!secret && { before: format(settings[key]), after: text }), ...note }
    const change = { action: 'option.update', subject: key, details }
    await auditEvents.record(transaction, { actorId: actor.id, ...change, ...origin })
    return optionTag(deps.vault, { ...settings, [key]: next }, key)
  })
}
