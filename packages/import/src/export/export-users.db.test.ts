import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openVault, postgresLogStore } from '@tidegate/storage'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importSite } from '../run/run-import.ts'
import { importOptions } from '../../test/import-site.ts'
import { oldKey, oldSite } from '../../test/old-site/content.ts'
import { OLD_TABLES } from '../../test/old-site/tables.ts'
import { oldSqlite } from '../../test/old-site/write.ts'
import { exportUsers } from './export-users.ts'

let database: ThrowAwayDatabase
let folder: string
const vault = openVault(randomBytes(32))
beforeAll(async () => {
  database = await workerDatabase()
  folder = await mkdtemp(join(tmpdir(), 'tidegate-out-'))
  const old = await oldSqlite(OLD_TABLES['new-api'], oldSite('new-api'))
  const site = { db: database.db, vault, version: '0.0.0-test' }
  await importSite(site, importOptions(old.from, { logs: true }))
  await old.close()
}, 120_000)
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

const site = () => ({ db: database.db, vault, logs: postgresLogStore(database.db) })

async function read(directory: string, file: string): Promise<unknown> {
  return JSON.parse(await readFile(join(directory, file), 'utf8'))
}

it('writes everything a user owns, without credentials', async () => {
  const output = join(folder, 'one')

  expect(await exportUsers(site(), { username: '林小雨', directory: output, format: 'json', secrets: false })).toBe(1)

  const [name] = await readdir(output)
  const mine = join(output, name!)
  expect(await readdir(mine)).toEqual([
    'ledger.json',
    'logs.json',
    'messages.json',
    'profile.json',
    'redemptions.json',
    'tasks.json',
    'tokens.json',
    'top_ups.json',
  ])
  expect(await read(mine, 'profile.json')).toMatchObject({ username: '林小雨', balance: 1_234_567, group: 'vip' })
  expect(await read(mine, 'ledger.json')).toContainEqual(expect.objectContaining({ amount: 1_234_567 }))
  expect(await read(mine, 'top_ups.json')).toMatchObject([{ trade_no: 'USR2NO1', quota: 5_000_000 }])
  expect(await read(mine, 'redemptions.json')).toMatchObject([{ quota: 50_000 }])
  expect(await read(mine, 'logs.json')).toHaveLength(3)
  expect(await read(mine, 'tokens.json')).toMatchObject([{ name: 'limited' }, { name: 'unlimited and below zero' }])
  const all = await Promise.all((await readdir(mine)).map((file) => readFile(join(mine, file), 'utf8')))
  expect(all.join('')).not.toMatch(new RegExp(`${oldKey('token 1')}|\\$2a\\$|sealed|hash`))
  expect((await stat(join(mine, 'tokens.json'))).mode & 0o077).toBe(0)
})

it('includes keys on request, and never overwrites files', async () => {
  const options = { username: '林小雨', directory: join(folder, 'keys'), format: 'json', secrets: true } as const
  await exportUsers(site(), options)

  const [name] = await readdir(options.directory)
  const tokens = await read(join(options.directory, name!), 'tokens.json')

  expect(tokens).toMatchObject([{ key: `sk-${oldKey('token 1')}` }, { key: `sk-${oldKey('token 2')}` }])
  await expect(exportUsers(site(), options)).rejects.toThrow('exist')
  await expect(exportUsers(site(), { ...options, username: 'nobody' })).rejects.toThrow('There is no user nobody.')
})

it('exports all users, reads long lists page by page, and escapes formulas', async () => {
  const { id } = await database.db
    .selectFrom('user')
    .select('id')
    .where('username', '=', 'user7')
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: 2_500 }, () => ({ type: 4, user_id: id, content: '=cmd(), "quoted"' }))
  for (let from = 0; from < rows.length; from += 500)
    await postgresLogStore(database.db).append(rows.slice(from, from + 500))
  const output = join(folder, 'all')

  expect(await exportUsers(site(), { directory: output, format: 'csv', secrets: false })).toBe(50)

  const logs = await readFile(join(output, `${id}-user7`, 'logs.csv'), 'utf8')
  const lines = logs.trimEnd().split('\r\n')
  expect(lines).toHaveLength(2_501)
  expect(lines[1]).toContain(`"'=cmd(), ""quoted"""`)
}, 120_000)
