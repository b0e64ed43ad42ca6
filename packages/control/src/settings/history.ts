import { isOptionKey, optionDefinition, pageAnswer, type api, type PageRequest } from '@tidegate/contract'
import { auditEvents, type AuditRow } from '@tidegate/storage'
import type { Deps } from '../deps.ts'

/** What every change of an option is called in the audit trail, whichever call made it. */
export const OPTION_CHANGE = 'option.update'

/** Changes of all options or of one, newest first. */
export async function listHistory(
  { db }: Pick<Deps, 'db'>,
  { key, page }: { key: string | undefined; page: PageRequest },
) {
  const filters = { action: OPTION_CHANGE, ...(key !== undefined && { subject: key }) }
  const [rows, total] = await Promise.all([auditEvents.page(db, filters, page), auditEvents.count(db, filters)])
  return pageAnswer(rows.map(changeView), total, page)
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

/** Also true of an option that became a secret after values of it were noted: they are not told any more. */
export function isSecret(key: string): boolean {
  return isOptionKey(key) && optionDefinition(key).secret
}

export function textIn(details: Readonly<Record<string, unknown>>, side: 'before' | 'after'): string | null {
  const text = details[side]
  return typeof text === 'string' ? text : null
}
