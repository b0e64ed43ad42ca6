import { throwAwayDatabase, type ThrowAwayDatabase, workerDatabase } from '@tidegate/testing'
import type { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { copyIn, copyOut } from './copy.ts'
import { FrameWriter } from './frames.ts'
import { FrameReader, loadDump, readHeader, writeDump, type DumpOptions, type LoadOptions } from '../index.ts'

const OPTIONS: DumpOptions = { version: '1.2.3', logs: true, keyFingerprint: 'f1' }
/** Values that COPY must escape and values that JavaScript would round. */
const ODD = 'tab\t line\n return\r back\\slash \\. \\N ü 潮 "quoted" end'

vi.setConfig({ testTimeout: 120_000 }) // most tests create a whole schema

let source: ThrowAwayDatabase
let target: ThrowAwayDatabase
const clients: Client[] = []
beforeEach(async () => {
  source = await workerDatabase()
  target = await throwAwayDatabase({ migrate: false })
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end()
  await Promise.all([source.close(), target.close()])
})

async function connect(database: ThrowAwayDatabase): Promise<Client> {
  const client = database.newClient()
  await client.connect()
  clients.push(client)
  return client
}

async function seed(client: Client, calls: number): Promise<void> {
  await client.query(
    `insert into "user" (id, username, display_name, aff_code, quota, setting) values (7, 'ada', $1, 'a7', 41, '{"n": 1.50}')`,
    [ODD],
  )
  await client.query(`insert into identity (user_id, provider, subject) values (7, 'github', '1')`)
  await client.query(`insert into token (user_id, hash, sealed_key, hint, name) values (7, 'h', 's', 'x', $1)`, [ODD])
  await client.query(`insert into channel (type, name, sealed_key, balance) values (1, 'c', 'k', 123456789.000001)`)
  await client.query(
    `insert into usage_log (type, user_id, content, created_at)
     select 2, 7, repeat('word ', 40), now() + (n % 2) * interval '1 day' from generate_series(1, $1) n`,
    [calls],
  )
}

async function dump(client: Client, options: Partial<DumpOptions> = {}): Promise<Buffer> {
  return Buffer.concat(await all(writeDump(client, { ...OPTIONS, ...options })))
}

async function all(pieces: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const found: Buffer[] = []
  for await (const piece of pieces) found.push(piece)
  return found
}

async function* inPieces(bytes: Buffer, size = 10_007): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function load(client: Client, bytes: Buffer, options: LoadOptions = { replace: false }) {
  const reader = new FrameReader(inPieces(bytes))
  return loadDump(client, await readHeader(reader), reader, options)
}

async function contentOf(client: Client): Promise<Record<string, unknown>> {
  const tables = ['"user"', 'identity', 'token', 'channel', 'usage_log', 'catalog_version']
  const results: [string, unknown][] = []
  for (const table of tables) {
    const { rows } = await client.query(`select md5(string_agg(t::text, '|' order by t::text)) as sum from ${table} t`)
    results.push([table, rows[0].sum])
  }
  return Object.fromEntries(results)
}

describe('a dump', () => {
  it('contains every value, partition and sequence unchanged, even when a row is longer than a frame', async () => {
    const [from, to] = [await connect(source), await connect(target)]
    await seed(from, 20_000)
    await from.query(`update channel set other_info = to_jsonb(repeat('x', 3000000))`)

    const { rows } = await load(to, await dump(from))

    expect(rows).toMatchObject({ user: 1, usage_log: 20_000 })
    expect(await contentOf(to)).toEqual(await contentOf(from))
    const next = await to.query(`insert into channel (type, name, sealed_key) values (1, 'd', 'k') returning id`)
    expect(next.rows[0].id).toBe(2)
    await to.query(`insert into usage_log (type, user_id, created_at) values (2, 7, now())`)
  })

  it('is a consistent snapshot during concurrent writes', async () => {
    const [from, other, to] = [await connect(source), await connect(source), await connect(target)]
    await seed(from, 10)
    const before = await contentOf(from)
    const frames: Buffer[] = []
    for await (const frame of writeDump(from, OPTIONS)) {
      if (frames.length === 0) await other.query(`update "user" set quota = quota + 1`)
      frames.push(frame)
    }

    await load(to, Buffer.concat(frames))

    expect(await contentOf(to)).toEqual(before)
  })

  it('can leave out log rows and still contains all balances', async () => {
    const [from, to] = [await connect(source), await connect(target)]
    await seed(from, 10)

    const { rows } = await load(to, await dump(from, { logs: false }))

    expect(rows).not.toHaveProperty('usage_log')
    expect((await to.query('select count(*)::int as count from usage_log')).rows).toEqual([{ count: 0 }])
    expect((await to.query('select quota from "user"')).rows).toEqual([{ quota: 41 }])
  })
})

describe('a load', () => {
  it.each([
    ['is cut short', (bytes: Buffer) => bytes.subarray(0, -300), 'cut short'],
    ['was changed', (bytes: Buffer) => replaceBytes(bytes, 'word ', 'sword'), 'checksum'],
    ['is of a newer build', (bytes: Buffer) => replaceBytes(bytes, '0001-foundation', '9999-foundation'), 'newer'],
    ['is not a backup', () => Buffer.from('PGDMP and so on, a file of another program'), 'not a backup'],
  ])('leaves nothing behind for a file that %s', async (_name, spoil, reason) => {
    const [from, to] = [await connect(source), await connect(target)]
    await seed(from, 100)
    const bytes = await dump(from)

    await expect(load(to, spoil(bytes))).rejects.toThrow(reason)

    expect((await to.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`)).rows).toEqual(
      [],
    )
  })

  it('replaces existing tables only on request, and restores them when it fails', async () => {
    const [from, to] = [await connect(source), await connect(target)]
    await seed(from, 10)
    const bytes = await dump(from)
    await load(to, bytes)
    await to.query(`update "user" set quota = 1`)

    await expect(load(to, bytes)).rejects.toThrow('--replace')
    const beforeCommit = () => Promise.reject(new Error('not now'))
    await expect(load(to, bytes, { replace: true, beforeCommit })).rejects.toThrow('not now')
    expect((await to.query('select quota from "user"')).rows).toEqual([{ quota: 1 }])
    await load(to, bytes, { replace: true })

    expect(await contentOf(to)).toEqual(await contentOf(from))
  })

  it('does not touch tables of other products', async () => {
    const [from, to] = [await connect(source), await connect(target)]
    await to.query('create table theirs (n int)')

    await expect(load(to, await dump(from), { replace: true })).rejects.toThrow('theirs')
  })

  it('runs later migrations on a dump of an older build', async () => {
    const [from, to] = [await connect(source), await connect(target)]
    await seed(from, 0)
    await from.query('delete from token')
    const whole = await readHeader(new FrameReader(inPieces(await dump(from))))
    const columns = ['id', 'username', 'display_name', 'aff_code', 'quota']
    const header = { ...whole, migrations: ['0001-foundation'], tables: [{ name: 'user', columns }], partitions: [] }
    const rows = `7\tada\tAda\ta7\t41\n`

    await load(to, aDump(header, rows, { rows: { user: 1 }, sequences: {} }))

    const names = (client: Client) => client.query('select name from schema_migration order by name')
    expect((await names(to)).rows).toEqual((await names(from)).rows)
    expect((await to.query('select username, quota from "user"')).rows).toEqual([{ username: 'ada', quota: 41 }])
  })
})

describe('COPY', () => {
  it('waits for a slow reader, and ends with the error of either side', async () => {
    const client = await connect(target)
    await client.query('create table n (n int)')
    let rows = 0
    for await (const piece of copyOut(client, 'copy (select generate_series(1, 1000000)) to stdout')) {
      rows += piece.toString().split('\n').length - 1
      await new Promise(setImmediate)
    }
    expect(rows).toBe(1_000_000)

    await expect(all(copyOut(client, 'copy (select 1 / 0) to stdout'))).rejects.toThrow('division by zero')
    await expect(copyIn(client, 'copy n from stdin', inPieces(Buffer.from('1\ntwo\n')))).rejects.toThrow('two')
    const failing = async function* () {
      yield Buffer.from('1\n')
      throw new Error('the disk is gone')
    }
    await expect(copyIn(client, 'copy n from stdin', failing())).rejects.toThrow('the disk is gone')
    expect(await copyIn(client, 'copy n from stdin', inPieces(Buffer.from('1\n2\n'), 1))).toBe(2)
  })
})

/** A dump as written by a build with only one table. */
function aDump(header: object, rows: string, footer: object): Buffer {
  const writer = new FrameWriter()
  const begin = [...writer.writeJson(header), writer.end(), ...writer.write(Buffer.from(rows)), writer.end()]
  const sha256 = writer.checksum()
  return Buffer.concat([...begin, ...writer.writeJson({ ...footer, sha256 }), writer.end()])
}

function replaceBytes(bytes: Buffer, text: string, other: string): Buffer {
  const at = bytes.indexOf(text)
  expect(at).toBeGreaterThan(0)
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(other), bytes.subarray(at + text.length)])
}
