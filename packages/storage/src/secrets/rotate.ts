import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../connection/connect.ts'
import type { Vault } from './vault.ts'
import { activateKey, prepareKey } from './key-rows.ts'
import { countSealed, resealAll, type ResealOptions, type ResealResult } from './reseal.ts'

export interface RotateOptions extends ResealOptions {
  /** How long nodes may take to load the keys when a change notification is lost. */
  nodesReadMs: number
  onKey?: (key: { id: number; isNew: boolean }) => void
}

export interface Rotation extends ResealResult {
  keyId: number
}

/**
 * Creates a new key, waits until every node has loaded it, and reseals everything with it. An interrupted rotation is
 * finished first, without another key.
 */
export async function rotateSecrets(db: Db, vault: Vault, options: RotateOptions): Promise<Rotation> {
  const unfinished = await unfinishedKey(db)
  const keyId = unfinished ?? (await useNewKey(db, vault, options))
  options.onKey?.({ id: keyId, isNew: unfinished === undefined })
  const first = await resealAll(db, vault, options)
  // A node that had not loaded the keys when the first pass started may have sealed with the previous key.
  await delay(options.nodesReadMs)
  const second = await resealAll(db, vault, options)
  const left = (await countSealed(db))
    .filter((entry) => entry.keyId !== keyId)
    .reduce((sum, { count }) => sum + count, 0)
  if (left <= second.unreadable.length)
    await db.updateTable('secret_key').set({ completed_at: new Date() }).where('id', '=', keyId).execute()
  return { keyId, resealed: first.resealed + second.resealed, unreadable: second.unreadable }
}

async function useNewKey(db: Db, vault: Vault, { nodesReadMs }: RotateOptions): Promise<number> {
  const id = await prepareKey(db, vault)
  await delay(nodesReadMs)
  await activateKey(db, vault, id)
  return id
}

async function unfinishedKey(db: Db): Promise<number | undefined> {
  const active = await db
    .selectFrom('secret_key')
    .select('id')
    .where('state', '=', 'active')
    .where('completed_at', 'is', null)
    .where('id', '>', 1)
    .executeTakeFirst()
  return active?.id
}
