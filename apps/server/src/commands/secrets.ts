import {
  auditEvents,
  countSealed,
  retireKey,
  rewrapKeys,
  rotateSecrets,
  SecretKeyError,
  type Db,
  type Vault,
} from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { openStorage } from '../process/open-storage.ts'
import { currentKey } from './backup-key.ts'
import { CommandError } from './command-error.ts'

interface SecretsCommand {
  args: readonly string[]
  'settle-seconds'?: string | undefined
}

/** Nodes poll for changes every 1.5 seconds when a change notification is lost. */
const SETTLE_SECONDS = 10
/** Key 1 is the first root key of the site, see `createKeyRing`. */
const FIRST_KEY_NOTE = ' It was the root key of this site: replace the root key as well if it leaked.'
const USAGE = 'The action is missing. Use: tidegate secrets status, rotate, retire ID or rewrap.'

/** Shows and changes the keys that stored secrets are encrypted with. Returns the exit code. */
export async function secrets(environment: Environment, log: Logger, command: SecretsCommand): Promise<number> {
  const [action, ...args] = command.args
  await requireRootKey(environment)
  const storage = await openStorage(environment, log)
  const site = { db: storage.database.db, vault: storage.vault }
  try {
    switch (action) {
      case 'status':
        return await printStatus(site)
      case 'rotate':
        return await rotate(site, readSeconds(command))
      case 'retire':
        return await retire(site, args)
      case 'rewrap':
        return await rewrap(site)
      default:
        throw new CommandError(USAGE)
    }
  } catch (error) {
    throw error instanceof SecretKeyError ? new CommandError(error.message) : error
  } finally {
    await storage.close()
  }
}

/** Opening the storage would create a new key file, which is not the key of a site that runs elsewhere. */
async function requireRootKey(environment: Environment): Promise<void> {
  if (await currentKey(environment)) return
  throw new CommandError(
    'There is no root key here: set TIDEGATE_SECRET, TIDEGATE_SECRET_FILE or TIDEGATE_SECRET_COMMAND as the site has it, ' +
      `or TIDEGATE_DATA_DIR to the folder with its secret.key (now ${environment.TIDEGATE_DATA_DIR}).`,
  )
}

interface Site {
  db: Db
  vault: Vault
}

async function printStatus({ db, vault }: Site): Promise<number> {
  const keys = await db.selectFrom('secret_key').selectAll().orderBy('id').execute()
  const counts = await countSealed(db)
  if (keys.length === 0) console.log('key 1: active (the root key itself; it has never been rotated)')
  for (const { id, state, created_at } of keys) {
    console.log(`key ${id}: ${state}, made ${created_at.toISOString()}`)
  }
  for (const { purpose, keyId, count } of counts) console.log(`  ${purpose}: ${count} encrypted with key ${keyId}`)
  return counts.every(({ keyId }) => keyId === vault.ring.activeId()) ? 0 : 1
}

function readSeconds({ 'settle-seconds': text = String(SETTLE_SECONDS) }: SecretsCommand): number {
  if (!/^\d{1,4}$/.test(text)) throw new CommandError('--settle-seconds must be a whole number of seconds.')
  return Number(text)
}

async function rotate({ db, vault }: Site, settleSeconds: number): Promise<number> {
  let resealed = 0
  let shown = 0
  const { keyId, unreadable } = await rotateSecrets(db, vault, {
    nodesReadMs: settleSeconds * 1000,
    onKey: ({ id, isNew }) => console.log(isNew ? `Key ${id} is in use.` : `Finishing the rotation to key ${id}.`),
    onProgress(progress) {
      resealed += progress.resealed
      if (resealed - shown < 10_000) return
      shown = resealed
      console.log(`${resealed} values encrypted again.`)
    },
  })
  console.log(`${resealed} values encrypted again with key ${keyId}.`)
  await record(db, 'secrets.rotate', keyId, { resealed, unreadable: unreadable.length })
  for (const { purpose, context } of unreadable)
    console.log(`Not readable with any key, left as it is: ${purpose} of ${context}`)
  return unreadable.length === 0 ? 0 : 1
}

async function retire({ db, vault }: Site, [id = '']: readonly string[]): Promise<number> {
  if (!/^\d{1,9}$/.test(id)) throw new CommandError('The key ID is missing. Use: tidegate secrets retire ID.')
  await retireKey(db, vault, Number(id))
  await record(db, 'secrets.retire', Number(id))
  console.log(`Key ${id} is retired.${id === '1' ? FIRST_KEY_NOTE : ''}`)
  return 0
}

async function rewrap({ db, vault }: Site): Promise<number> {
  const count = await rewrapKeys(db, vault)
  await record(db, 'secrets.rewrap', vault.ring.activeId(), { keys: count })
  console.log(`${count} keys encrypted with the current root key. You can unset TIDEGATE_SECRET_PREVIOUS.`)
  return 0
}

async function record(db: Db, action: string, keyId: number, details?: Record<string, unknown>): Promise<void> {
  await auditEvents.record(db, { actorId: null, action, subject: `key ${keyId}`, ...(details && { details }) })
}
