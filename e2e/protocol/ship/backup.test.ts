import { once } from 'node:events'
import { copyFile, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  fakeUpstream,
  removeDirectory,
  startServer,
  stopLeftOverDatabase,
  throwAwayDatabase,
  throwAwayDirectory,
  type FakeUpstream,
  type RunningServer,
} from '@tidegate/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTidegate, tidegate } from './run-tidegate.ts'
import { accountAfter, chat, seedSite, logIn, type SeededSite } from './site.ts'

/** Every command is a separate process, which takes time on a busy machine. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const BALANCED = expect.stringContaining('The books balance.')

let upstream: FakeUpstream
let folder: string
/** The saved site: its location, its contents, and the file. */
let origin: string
let site: SeededSite
let account: { quota: number; used_quota: number }
let file: string
let passphrase: string
let server: RunningServer

/** The key of the file. */
const passphraseArgs = () => ['--passphrase-file', passphrase]

beforeAll(async () => {
  upstream = await fakeUpstream()
  folder = await throwAwayDirectory()
  origin = join(folder, 'origin')
  file = join(folder, 'site.backup')
  passphrase = join(folder, 'passphrase')
  await writeFile(passphrase, 'low tide at noon\n')
  server = await startServer({ dataDirectory: origin })
  site = await seedSite(server.url, upstream)
  for (let request = 0; request < 3; request++) expect((await chat(server.url, site.secret)).status).toBe(200)
  account = await accountAfter(site.client, 3)

  // Taken while the site serves requests and a process holds credit.
  const result = await tidegate(['backup', file, '--with-key', '--passphrase-file', passphrase], {
    dataDirectory: origin,
  })
  expect(result).toMatchObject({ code: 0, stderr: expect.stringMatching(/^1 users, 1 channels, \d+ log rows saved/) })
})
afterAll(async () => {
  await stopLeftOverDatabase(folder)
  await removeDirectory(folder)
  await upstream.close()
})

describe('a backup of a running site', () => {
  afterAll(() => server.stop())

  it('is readable by its owner only and contains no plain secret', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const key = (await readFile(join(origin, 'secret.key'), 'utf8')).trim()
    expect((await readFile(file)).includes(key)).toBe(false)
  })

  it('is encrypted unless plain is requested, and reports which', async () => {
    const [encrypted, plain] = [join(folder, 'default.backup'), join(folder, 'plain.backup')]
    const here = { dataDirectory: origin }

    expect(await tidegate(['backup', encrypted], here)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('encrypted with the key of this installation'),
    })
    expect(await tidegate(['backup', plain, '--plain'], here)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Warning: it is not encrypted'),
    })
    expect(await tidegate(['backup', plain, '--plain', '--with-key'], here)).toMatchObject({ code: 1 })
    expect(await tidegate(['backup', plain, '--with-key'], here)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('passphrase'),
    })

    expect((await readFile(plain)).subarray(0, 4).toString('hex')).toBe('28b52ffd') // zstd, as written by older versions
    expect((await readFile(encrypted)).subarray(0, 15).toString()).toBe('TIDEGATE-BACKUP')
    for (const [backup, args] of [
      [encrypted, 'It is encrypted and was not changed.'],
      [plain, 'It is not encrypted.'],
    ]) {
      expect(await tidegate(['verify', '--backup', backup!], here)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(args!),
      })
    }
    const database = await throwAwayDatabase({ migrate: false })
    const there = { ...here, env: { DATABASE_URL: database.url } }
    expect(await tidegate(['restore', plain], there)).toMatchObject({
      code: 0,
      stdout: BALANCED,
      stderr: expect.stringContaining('not encrypted'),
    })
    await database.close()
  })

  it('does not open with a changed byte or without the key', async () => {
    const encrypted = join(folder, 'changed.backup')
    expect(await tidegate(['backup', encrypted], { dataDirectory: origin })).toMatchObject({ code: 0 })
    const bytes = await readFile(encrypted)
    bytes[bytes.length - 40]! ^= 1
    await writeFile(encrypted, bytes)

    expect(await tidegate(['verify', '--backup', encrypted], { dataDirectory: origin })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('changed'),
    })
    const elsewhere = { dataDirectory: join(folder, 'elsewhere') }
    expect(await tidegate(['verify', '--backup', encrypted], elsewhere)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('secret.key'),
    })
  })

  it('requires the key of its secrets before anything is changed', async () => {
    const plain = join(folder, 'without-key.backup')
    expect(await tidegate(['backup', plain, '--without-logs'], { dataDirectory: origin })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/ 0 log rows [^]*keep secret\.key/),
    })
    const database = await throwAwayDatabase({ migrate: false })
    const dataDirectory = join(folder, 'without-key')

    expect(await tidegate(['restore', plain], { dataDirectory, env: { DATABASE_URL: database.url } })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('secret.key'),
    })
    const { rows } = await sql`select 1 from pg_class where relnamespace = 'public'::regnamespace`.execute(database.db)
    expect(rows).toEqual([])
    await expect(stat(dataDirectory)).rejects.toThrow('ENOENT')
    await database.close()
  })
})

it('restores the site on another machine with an embedded database', async () => {
  const dataDirectory = join(folder, 'other-machine')
  const wrong = join(folder, 'wrong')
  await writeFile(wrong, 'high tide at noon')
  expect(await tidegate(['restore', file, '--passphrase-file', wrong], { dataDirectory })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('passphrase'),
  })

  const restored = await tidegate(['restore', file, '--passphrase-file', passphrase], { dataDirectory })

  expect(restored).toMatchObject({ code: 0, stdout: BALANCED })
  const server = await startServer({ dataDirectory })
  const client = await logIn(server.url)
  expect(await accountAfter(client, 3)).toEqual(account)
  expect((await chat(server.url, site.secret)).status).toBe(200)
  await accountAfter(client, 4)
  await server.stop()
  expect(await tidegate(['verify'], { dataDirectory })).toMatchObject({ code: 0, stdout: BALANCED })
})

it('is restored in a drill, beside the site, from the newest file of a directory', async () => {
  const [temporary, backups] = [join(folder, 'temporary'), join(folder, 'backups')]
  await mkdir(temporary)
  await mkdir(backups)
  await writeFile(join(backups, 'old.backup'), 'incomplete')
  await utimes(join(backups, 'old.backup'), 1e9, 1e9)
  await copyFile(file, join(backups, 'new.backup'))
  await writeFile(join(backups, 'notes.txt'), 'not a backup')

  const { stdout, ...drill } = await tidegate(['drill', 'restore', backups, ...passphraseArgs()], {
    dataDirectory: join(folder, 'no-site-here'),
    env: { TMPDIR: temporary },
  })

  expect({ ...drill, stdout }).toMatchObject({ code: 0, stdout: BALANCED })
  expect(stdout).toMatch(/The drill succeeded after \d+ s: .*new\.backup/)
  expect(await readdir(temporary)).toEqual([])
})

it('restores the site into a PostgreSQL only if it is empty or released and no process uses it', async () => {
  const database = await throwAwayDatabase({ migrate: false })
  const there = { dataDirectory: origin, env: { DATABASE_URL: database.url } }

  expect(await tidegate(['restore', file, ...passphraseArgs()], there)).toMatchObject({ code: 0, stdout: BALANCED })
  const server = await startServer({ dataDirectory: origin, env: there.env })
  expect((await chat(server.url, site.secret)).status).toBe(200)
  const client = await logIn(server.url)
  await accountAfter(client, 4)
  expect(await tidegate(['restore', file, '--replace', ...passphraseArgs()], there)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('A Tidegate process uses'),
  })
  await server.stop()
  expect(await tidegate(['restore', file, ...passphraseArgs()], there)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--replace'),
  })
  expect(await tidegate(['restore', file, '--replace', ...passphraseArgs()], there)).toMatchObject({
    code: 0,
    stdout: BALANCED,
  })
  const { rows } = await sql`select quota, used_quota, request_count from "user"`.execute(database.db)
  expect(rows).toEqual([{ ...account, request_count: 3 }])
  await database.close()
})

it('changes nothing when a restore is killed halfway', async () => {
  const database = await throwAwayDatabase({ migrate: false })
  const there = { dataDirectory: origin, env: { DATABASE_URL: database.url } }
  expect(await tidegate(['restore', file, ...passphraseArgs()], there)).toMatchObject({ code: 0 })
  // Long enough that a part of it is significant.
  await sql`
    insert into usage_log (type, user_id, content)
    select 1, 1, md5(n::text) || md5((-n)::text) from generate_series(1, 20000) n`.execute(database.db)
  const long = join(folder, 'long.backup')
  expect(await tidegate(['backup', long], there)).toMatchObject({ code: 0 })
  await sql`update "user" set quota = quota - 1`.execute(database.db)
  const held = () => sql`select quota, (select count(*)::int from usage_log) as logs from "user"`.execute(database.db)
  const before = (await held()).rows
  const loading = async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and query like 'copy "usage_log"%'
        and wait_event = 'ClientRead'`.execute(database.db)
    return rows.length === 1
  }

  const child = openTidegate(['restore', '-', '--replace'], there)
  const content = await readFile(long)
  child.stdin!.write(content.subarray(0, content.length / 2)) // the rest never arrives
  await expect.poll(loading, { timeout: 60_000 }).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'close')

  await expect.poll(loading).toBe(false)
  expect((await held()).rows).toEqual(before)
  await database.close()
})
