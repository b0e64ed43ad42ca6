import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/**
 * With several cells, names, identities and codes are in a database of the whole site (ADR 0054). Only these files find
 * accounts by them. Do not add a file: pass the user ID instead.
 */
const LISTED = [
  'packages/ledger/src/entries/redeem-code.ts',
  'packages/storage/src/queries/accounts/identities.ts',
  'packages/storage/src/queries/accounts/registrations.ts',
  'packages/storage/src/queries/accounts/user-list.ts',
  'packages/storage/src/queries/accounts/users.ts',
  'packages/storage/src/queries/wallet/redemptions.ts',
  // Replaces the root key of all rows, in any order.
  'packages/storage/src/secrets/sealed-columns.ts',
]

/** Lookups in all accounts of the site, by table and condition. With several cells, their data is not in the cell. */
const LOOKUPS: readonly { table: RegExp; condition: RegExp }[] = [
  {
    table: /'user'|"user"/,
    condition:
      /lower\((?:\w+\.)?(?:username|email)\)|'(?:user\.)?(?:username|email|aff_code)', *'(?:=|in|like|ilike)'|\b(?:username|email|aff_code) (?:=|in|like|ilike) /,
  },
  { table: /'identity'|(?:from|join) identity\b/, condition: /'(?:identity\.)?subject', *'=|\bsubject = \$/ },
  { table: /'redemption'|(?:from|join) redemption\b/, condition: /'key_hash', *'|\bkey_hash (?:=|in) |eb\('key',/ },
]

/** Files of the product that find accounts, identities or redemption codes by a name instead of a user ID. */
async function findSiteLookups(root: string): Promise<string[]> {
  const found: string[] = []
  for await (const path of glob('{packages/*,apps/server}/src/**/*.ts', { cwd: root })) {
    if (/\.test\.ts$|\/migrations\/|^packages\/testing\//.test(path)) continue
    const text = (await readFile(join(root, path), 'utf8')).replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    if (LOOKUPS.some(({ table, condition }) => table.test(text) && condition.test(text))) found.push(path)
  }
  return found.toSorted()
}

describe('a lookup in all accounts of the site', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'tidegate-lookups-'))
  })
  afterEach(() => rm(root, { recursive: true }))

  async function plant(text: string) {
    const path = join(root, 'packages/control/src/find.ts')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }

  it.each([
    "db.selectFrom('user').select('id').where('username', '=', name)",
    "db.selectFrom('user').where(sql`lower(email)`, '=', email)",
    'sql`select id from "user" where username = ${name}`',
    'sql`select id from "user" u where lower(u.username) = any(${names})`',
    "db.selectFrom('user').where('user.aff_code', '=', code)",
    "db.selectFrom('identity').where('provider', '=', provider).where('subject', '=', subject)",
    "db.selectFrom('redemption').where('key_hash', 'in', hashes)",
    'sql`select id from redemption where key_hash = ${hash}`',
  ])('is found: %s', async (text) => {
    await plant(text)

    expect(await findSiteLookups(root)).toEqual(['packages/control/src/find.ts'])
  })

  it.each([
    "db.selectFrom('user').select('username').where('id', '=', userId)",
    "db.selectFrom('identity').select('subject').where('user_id', '=', userId)",
    "db.selectFrom('channel_key').where('key_hash', '=', hash)",
    "// where('username', '=', name) of \"user\"",
  ])('is not by user ID or in other tables: %s', async (text) => {
    await plant(text)

    expect(await findSiteLookups(root)).toEqual([])
  })

  it('is made by the listed files only', async () => {
    expect(await findSiteLookups(join(import.meta.dirname, '..'))).toEqual(LISTED)
  })
})
