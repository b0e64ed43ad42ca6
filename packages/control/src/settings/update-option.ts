import {
  ApiError,
  guardOption,
  isOptionKey,
  optionDefinition,
  parseOption,
  type OptionKey,
  type Settings,
} from '@tidegate/contract'
import { auditEvents, loadSettings, options } from '@tidegate/storage'
import { checkPolicyChange } from '../auth/admin-policy.ts'
import { requireReauth } from '../auth/reauthenticate.ts'
import { changeCatalog } from '../change-catalog.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { requireMatch } from '../http/etag.ts'
import { optionSetTag, optionTag, requireOptionAccess } from './options.ts'

type UpdateDeps = Pick<Deps, 'db' | 'vault' | 'catchUp' | 'now'>

export interface OptionUpdate {
  key: string
  value: string
  /** The versions that this update may replace; any without it. */
  ifMatch?: readonly string[] | undefined
}

/** Sets an option and returns its new version. The audit event includes the fields of `note`. */
export async function updateOption(
  deps: UpdateDeps,
  actor: Actor,
  { key, value }: { key: string; value: string },
  { ifMatch, ...origin }: Origin & { ifMatch?: readonly string[] | undefined },
  note: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const [etag] = await updateOptions(deps, actor, [{ key, value, ifMatch }], origin, note)
  return etag!
}

/**
 * Sets options in one transaction and returns their new versions. All checks of an option run before it is written, and
 * a rejected value changes neither the database nor a running node.
 */
export async function updateOptions(
  deps: UpdateDeps,
  actor: Actor,
  updates: readonly OptionUpdate[],
  origin: Origin,
  note: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  const parsed = updates.map(({ key, value, ifMatch }) => {
    requireOptionAccess(actor, key)
    if (!isOptionKey(key)) throw new ApiError('option_unknown', { key })
    return { key, next: parseOption(key, value), ifMatch }
  })
  return changeCatalog(deps, async (transaction) => {
    const stored = await loadSettings(transaction, deps.vault)
    const settings: Settings = { ...stored }
    for (const { key, next, ifMatch } of parsed) {
      if (ifMatch) requireMatch(ifMatch, [optionTag(deps.vault, stored, key), optionSetTag(deps.vault, stored)])
      await updateIn(transaction, settings, { key, next })
      Object.assign(settings, { [key]: next })
    }
    return parsed.map(({ key }) => optionTag(deps.vault, settings, key))
  })

  async function updateIn(transaction: Deps['db'], settings: Settings, { key, next }: ParsedOption): Promise<void> {
    const { secret, guard, format } = optionDefinition(key)
    const text = format(next)
    // An unchanged secret must not be revealed.
    const isGuarded = guard === 'reauth' && (secret || text !== format(settings[key]))
    if (isGuarded) await requireReauth({ ...deps, db: transaction }, actor, 'orToken')
    const objection = guardOption(settings, key, next)
    if (objection) throw new ApiError(objection.code, objection.details)
    await checkPolicyChange(transaction, { id: actor.id, clientIp: origin.clientIp }, key, next)
    const value = secret ? deps.vault.seal('option', key, text) : text
    await options.put(transaction, { key, value, sealed: secret }, actor.id)
    const details = { ...(!secret && { before: format(settings[key]), after: text }), ...note }
    const change = { action: 'option.update', subject: key, details }
    await auditEvents.record(transaction, { actorId: actor.id, ...change, ...origin })
  }
}

interface ParsedOption {
  key: OptionKey
  next: ReturnType<typeof parseOption>
}
