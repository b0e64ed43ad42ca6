import { type api, ApiError, isOptionKey, optionDefinition, toPage, type PageRequest } from '@tidegate/contract'
import { auditEvents, type AuditRow } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { updateOption } from './update-option.ts'

/** Audit action of all option changes. */
export const OPTION_CHANGE = 'option.update'

/** Changes of one or all options, newest first. */
export async function listHistory(
  { db }: Pick<Deps, 'db'>,
  { key, page }: { key: string | undefined; page: PageRequest },
) {
  const filters = { action: OPTION_CHANGE, ...(key !== undefined && { subject: key }) }
  const [rows, total] = await Promise.all([auditEvents.page(db, filters, page), auditEvents.count(db, filters)])
  return toPage(rows.map(changeView), total, page)
}

function changeView({ id, created_at, actor_id, actor, subject: key, details }: AuditRow): api.OptionChange {
  const secret = isSecret(key)
  return {
    id,
    created_at: Math.floor(created_at.getTime() / 1000),
    actor_id: actor_id ?? 0,
    actor: actor ?? '',
    key,
    secret,
    before: secret ? null : textIn(details, 'before'),
    after: secret ? null : textIn(details, 'after'),
    way: 'restored_from' in details ? 'restore' : 'config_file' in details ? 'file' : 'edit',
  }
}

/** Also hides old values of options that became secrets later. */
function isSecret(key: string): boolean {
  return isOptionKey(key) && optionDefinition(key).secret
}

function textIn(details: Readonly<Record<string, unknown>>, side: 'before' | 'after'): string | null {
  const text = details[side]
  return typeof text === 'string' ? text : null
}

/** Restores the value before a change. The audit event names the restored change. */
export async function restoreOption(
  deps: Pick<Deps, 'db' | 'vault' | 'catchUp' | 'now'>,
  actor: Actor,
  id: number,
  origin: Origin,
): Promise<void> {
  const event = await auditEvents.find(deps.db, id)
  if (event?.action !== OPTION_CHANGE) throw new ApiError('option_change_not_found')
  const key = event.subject
  if (isSecret(key)) throw new ApiError('option_change_secret', { key })
  const value = textIn(event.details, 'before')
  if (value === null) throw new ApiError('option_change_without_before', { key })
  await updateOption(deps, actor, { key, value }, origin, { restored_from: id })
}
