import { api, ApiError } from '@tidegate/contract'
import { auditEvents, redemptions, type RedemptionRow } from '@tidegate/storage'
import { requireProof } from '../../auth/reauthenticate.ts'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { checkName, checkQuota, checkUses, checkWindow } from './code-fields.ts'
import { redemptionFields, redemptionView } from './code-view.ts'

const { unused, disabled, used } = api.REDEMPTION_STATUS

/** Changes an unused code, or enables and disables one that is not used up. Its row is locked, so that it cannot be redeemed at the old value meanwhile. */
export async function updateRedemption(
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
    if (createsBalance(row, values)) await requireProof({ db: transaction, now }, actor, 'orToken')
    const changed = await redemptions.update(transaction, row.id, values)
    const details = { before: redemptionFields(row), after: redemptionFields(changed) }
    const event = { action: 'redemption.update', subject: String(row.id), details }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
    return redemptionView(vault, changed)
  })
}

function readStatus(status: number | undefined): number {
  if (status !== unused && status !== disabled) throw new ApiError('redemption_status_invalid')
  return status
}

function changes(row: RedemptionRow, edit: api.RedemptionEdit) {
  const shown = redemptionFields(row)
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

/** A change after which more can be redeemed, or by other people or at other times. */
function createsBalance(row: RedemptionRow, values: Partial<RedemptionRow>): boolean {
  const { name: _name, ...rest } = values
  const differs = (field: keyof typeof rest) => Number(rest[field]) !== Number(row[field])
  return rest.status !== disabled && (Object.keys(rest) as (keyof typeof rest)[]).some(differs)
}
