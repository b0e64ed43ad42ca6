import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Db, identities, type LogStore, users, type Vault } from '@tidegate/storage'
import { InputError } from '../errors.ts'
import { userRows } from './user-rows.ts'
import { type ExportFormat, writeRows } from './write-rows.ts'

export interface ExportOptions {
  /** Exports one user; all users when left out. */
  readonly username?: string | undefined
  readonly directory: string
  readonly format: ExportFormat
  readonly secrets: boolean
  /** Called for each user after the files are written. */
  onUser?(name: string, rows: number): void
}

const PAGE = 500

/** Writes everything that users own, into one directory per user. Returns the number of users. */
export async function exportUsers(
  site: { db: Db; vault: Vault; logs: LogStore },
  options: ExportOptions,
): Promise<number> {
  let total = 0
  for await (const { id, username } of selectUsers(site.db, options.username)) {
    const directory = join(options.directory, `${id}-${safeName(username)}`)
    await createDirectory(directory)
    await writeFile(join(directory, 'profile.json'), `${JSON.stringify(await readProfile(site.db, id), null, 2)}\n`, {
      mode: 0o600,
    })
    let rows = 0
    for (const [name, list] of Object.entries(userRows(site, id, options))) {
      rows += await writeRows(join(directory, `${name}.${options.format}`), options.format, list)
    }
    options.onUser?.(username, rows)
    total += 1
  }
  return total
}

async function* selectUsers(db: Db, username: string | undefined): AsyncGenerator<{ id: number; username: string }> {
  if (username !== undefined) {
    const id = await users.findIdByName(db, username)
    if (id === undefined) throw new InputError(`There is no user ${username}.`)
    return yield { id, username }
  }
  for (let last = 0; ;) {
    const page = await db
      .selectFrom('user')
      .select(['id', 'username'])
      .where('id', '>', last)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    yield* page
    if (page.length < PAGE) return
    last = page.at(-1)!.id
  }
}

/** Never overwrites an earlier export. */
async function createDirectory(directory: string): Promise<void> {
  try {
    await mkdir(join(directory, '..'), { recursive: true, mode: 0o700 })
    await mkdir(directory, { mode: 0o700 })
  } catch (error) {
    throw new InputError(`${directory}: ${(error as Error).message}`)
  }
}

/** A username may contain characters that a path may not. */
function safeName(username: string): string {
  return username.replace(/[^\p{L}\p{N}_-]/gu, '_')
}

/** The account without credentials. */
async function readProfile(db: Db, userId: number): Promise<Record<string, unknown>> {
  const user = (await users.findById(db, userId))!
  const { password_hash: _hash, quota: _unleased, setting, ...profile } = user
  const { webhook_secret: _secret, ...settings } = setting
  return {
    ...profile,
    balance: await users.spendable(db, userId),
    setting: settings,
    sign_ins: await identities.listOf(db, userId),
  }
}
