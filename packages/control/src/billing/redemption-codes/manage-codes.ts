import { randomBytes } from 'node:crypto'
import { api, ApiError } from '@tidegate/contract'
import { auditEvents, redemptions } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { checkName, checkQuota, checkUses, checkWindow } from './code-fields.ts'

const MOST_AT_ONCE = 100
const LONGEST_KEY = 32

/** Makes codes, all or none, and gives their keys. The audit trail tells of them without the keys. */
export async function createRedemptions(
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
  if (!Number.isInteger(count) || count < 1 || count > MOST_AT_ONCE) {
    throw new ApiError('redemption_count_invalid', { limit: MOST_AT_ONCE })
  }
  return Array.from({ length: count }, () => randomBytes(16).toString('hex'))
}

function checkKey(key: string): string {
  if ([...key].length > LONGEST_KEY || /[\p{C}\s]/u.test(key)) {
    throw new ApiError('redemption_key_invalid', { limit: LONGEST_KEY })
  }
  return key
}
