import { randomBytes } from 'node:crypto'
import { api, ApiError } from '@tidegate/contract'
import { auditEvents, type RedemptionFilters, type RedemptionRow, redemptions } from '@tidegate/storage'
import { requireReauth } from '../../auth/reauthenticate.ts'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { checkName, checkQuota, checkUses, checkWindow, codeFields, codeView } from './code-fields.ts'

/** Creates codes, all or none, and returns their keys. The audit trail does not contain the keys. */
export async function createCodes(
  { db, vault }: Pick<Deps, 'db' | 'vault'>,
  actor: Actor,
  input: api.NewRedemptions,
  origin: Origin,
): Promise<string[]> {
  const name = checkName(input.name)
  const quota = checkQuota(input.quota)
  const max_uses = input.is_gift ? checkUses(input.max_uses) : api.UNLIMITED_USES
  const window = checkWindow(input.valid_from, input.valid_until)
  const keys = keysFor(input)

  await db.transaction().execute(async (transaction) => {
    if (await redemptions.isKeyTaken(transaction, keys, (key) => vault.keyedHashes('redemption-code', key))) {
      throw new ApiError('redemption_key_taken')
    }
    const rows = keys.map((key) => ({
      created_by: actor.id,
      ...redemptions.sealKey(vault, key),
      name,
      quota,
      is_gift: input.is_gift,
      max_uses,
      ...window,
    }))
    const ids = await redemptions.insert(transaction, rows)
    if (!ids) throw new ApiError('redemption_key_taken')
    const details = { name, quota, count: ids.length, is_gift: input.is_gift, max_uses, first_id: ids[0] }
    const event = { action: 'redemption.create', subject: name, details }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
  })
  return keys
}

function keysFor({ key, count }: api.NewRedemptions): string[] {
  const own = key?.trim() ?? ''
  if (own !== '') return [checkKey(own)]
  if (!Number.isInteger(count) || count < 1 || count > api.REDEMPTION_LIMITS.count) {
    throw new ApiError('redemption_count_invalid', { limit: api.REDEMPTION_LIMITS.count })
  }
  return Array.from({ length: count }, () => randomBytes(16).toString('hex'))
}

function checkKey(key: string): string {
  if ([...key].length > api.REDEMPTION_LIMITS.key || /[\p{C}\s]/u.test(key)) {
    throw new ApiError('redemption_key_invalid', { limit: api.REDEMPTION_LIMITS.key })
  }
  return key
}

const { unused, disabled, used } = api.REDEMPTION_STATUS

/** Edits an unused code, or enables or disables a code. The row lock prevents redemption at the old value meanwhile. */
export async function updateCode(
  { db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>,
  actor: Actor,
  edit: api.RedemptionEdit,
  { statusOnly }: { statusOnly: boolean },
  origin: Origin,
): Promise<api.Redemption> {
  return db.transaction().execute(async (transaction) => {
    const row = await redemptions.lock(transaction, edit.id)
    if (!row) throw new ApiError('redemption_not_found')
    if (row.status === used) throw new ApiError('redemption_used')
    if (!statusOnly && row.status !== unused) throw new ApiError('redemption_edit_disabled')
    const values = statusOnly ? { status: readStatus(edit.status) } : changes(row, edit)
    if (createsBalance(row, values)) await requireReauth({ db: transaction, now }, actor, 'orToken')
    const changed = await redemptions.update(transaction, row.id, values)
    const details = { before: codeFields(row), after: codeFields(changed) }
    const event = { action: 'redemption.update', subject: String(row.id), details }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
    return codeView(vault, changed)
  })
}

function readStatus(status: number | undefined): number {
  if (status !== unused && status !== disabled) throw new ApiError('redemption_status_invalid')
  return status
}

function changes(row: RedemptionRow, edit: api.RedemptionEdit) {
  const shown = codeFields(row)
  const is_gift = edit.is_gift ?? row.is_gift
  const values = {
    name: edit.name === undefined ? row.name : checkName(edit.name),
    quota: edit.quota === undefined ? row.quota : checkQuota(edit.quota),
    is_gift,
    max_uses: is_gift ? checkUses(edit.max_uses ?? row.max_uses) : api.UNLIMITED_USES,
    ...checkWindow(edit.valid_from ?? shown.valid_from, edit.valid_until ?? shown.valid_until),
  }
  const sameWorth = values.quota === row.quota && values.is_gift === row.is_gift && values.max_uses === row.max_uses
  if (row.used_count > 0 && !sameWorth) throw new ApiError('redemption_in_use')
  return values
}

/** Whether the change allows more redemptions, or redemption by others or at other times. */
function createsBalance(row: RedemptionRow, values: Partial<RedemptionRow>): boolean {
  const { name: _name, ...rest } = values
  const differs = (field: keyof typeof rest) => Number(rest[field]) !== Number(row[field])
  return rest.status !== disabled && (Object.keys(rest) as (keyof typeof rest)[]).some(differs)
}

/** Removes codes, records the selection in the audit trail and returns the count. */
export async function removeCodes(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  choice: RedemptionFilters,
  origin: Origin,
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const count = await redemptions.remove(transaction, choice, now())
    if (count === 0) return 0
    const { name, status, ids } = choice
    const subject = name ?? (ids === undefined ? '' : ids.join(','))
    const event = { action: 'redemption.delete', subject, details: { count, ...(status && { status }) } }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
    return count
  })
}

export async function disableCodes(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  ids: readonly number[],
  origin: Origin,
): Promise<number> {
  if (ids.length === 0) throw new ApiError('redemptions_required')
  return db.transaction().execute(async (transaction) => {
    const done = await redemptions.setStatus(transaction, ids, { from: unused, to: disabled })
    if (done.length === 0) return 0
    const event = { action: 'redemption.disable', subject: '', details: { ids: done } }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
    return done.length
  })
}
