import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase } from '../connection/connect.ts'
import { inspectSchema, migrateToLatest } from '../migrate.ts'
import { dropUsageLogPartitions, ensureUsageLogPartitions } from '../log-store/postgres/partitions.ts'
import { embeddedLayout } from './layout.ts'
import { isServing } from './postmaster.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './start-embedded-postgres.ts'

let parent: string
/** Created by the first test and used by the next ones. */
let dataDir: string

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tidegate-embedded-'))
  await chmod(parent, 0o755)
  dataDir = join(parent, 'data')
})
afterAll(() => rm(parent, { recursive: true, force: true }))

function connect(server: EmbeddedPostgres) {
  return connectDatabase({ ...server.connection, poolSize: 2, applicationName: 'test' })
}

async function withDatabase<Result>(
  server: EmbeddedPostgres,
  work: (handle: ReturnType<typeof connect>) => Promise<Result>,
): Promise<Result> {
  const handle = connect(server)
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}

async function postmasterPid(directory = dataDir): Promise<number> {
  return Number.parseInt(await readFile(join(directory, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10)
}

const serves = (pid: number, directory = dataDir) => isServing(pid, embeddedLayout(directory))

describe('the embedded database', { timeout: 60_000 }, () => {
  it('is created on the first start, runs our schema, and listens only on its socket', async () => {
    const server = await startEmbeddedPostgres({ dataDir })

    await withDatabase(server, async ({ db }) => {
      await migrateToLatest(db)
      expect(await inspectSchema(db)).toEqual({ kind: 'current' })
      await db.insertInto('option').values({ key: 'kept', value: 'yes' }).execute()
      const { rows } = await sql`
        select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
          current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone,
          'ä' < 'z' as by_language, upper('é') as upper`.execute(db)
      expect(rows).toEqual([
        { addresses: '', fsync: 'on', encoding: 'UTF8', zone: 'UTC', by_language: false, upper: 'É' },
      ])
    })
    expect((await stat(server.connection.socketDir)).mode & 0o777).toBe(0o700)
    await server.stop()
  })

  it('partitions the usage log as a server does', async () => {
    const server = await startEmbeddedPostgres({ dataDir })

    await withDatabase(server, async ({ db }) => {
      await ensureUsageLogPartitions(db, { from: new Date('2031-01-01Z'), days: 2 })
      await db
        .insertInto('usage_log')
        .values({ created_at: new Date('2031-01-01T10:00:00Z'), type: 2, user_id: 1 })
        .execute()
      expect(await dropUsageLogPartitions(db, { before: new Date('2031-01-02Z') })).toEqual(['usage_log_y2031m01d01'])
    })
    await server.stop()
  })

  it('stops on request, and keeps its rows after a restart', async () => {
    const first = await startEmbeddedPostgres({ dataDir })
    const pid = await postmasterPid()
    await first.stop()
    expect(await serves(pid)).toBe(false)

    const second = await startEmbeddedPostgres({ dataDir })
    const rows = await withDatabase(second, ({ db }) =>
      db.selectFrom('option').select('value').where('key', '=', 'kept').execute(),
    )
    await second.stop()

    expect(rows).toEqual([{ value: 'yes' }])
  })

  it('keeps every committed row when the server is killed', async () => {
    const first = await startEmbeddedPostgres({ dataDir })
    const handle = connect(first)
    for (let row = 0; row < 50; row++) {
      await handle.db
        .insertInto('option')
        .values({ key: `row-${row}`, value: 'committed' })
        .execute()
    }
    process.kill(await postmasterPid(), 'SIGKILL')

    const second = await startEmbeddedPostgres({ dataDir })
    const count = await withDatabase(second, async ({ db }) => {
      const { total } = await db
        .selectFrom('option')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where('value', '=', 'committed')
        .executeTakeFirstOrThrow()
      return total
    })
    await handle.close()
    await second.stop()
    await first.stop()

    expect(count).toBe(50)
  })

  it('starts despite a stale lock, a stale attachment and a process ID now used by another program', async () => {
    const dead = spawn(process.execPath, ['--version'])
    await once(dead, 'exit')
    await writeFile(join(dataDir, 'postgres', 'start.lock'), String(dead.pid))
    await mkdir(join(dataDir, 'postgres', 'users'), { recursive: true })
    await writeFile(join(dataDir, 'postgres', 'users', `${process.ppid}-left`), '')
    await writeFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), `${process.pid}\n${dataDir}\n`)

    const server = await startEmbeddedPostgres({ dataDir })
    const pid = await postmasterPid()
    await server.stop()

    expect(pid).not.toBe(process.pid)
    expect(await serves(pid)).toBe(false)
  })

  it('puts the socket into the temporary directory when the path is too long', async () => {
    const deep = join(parent, 'a-directory-name-that-is-quite-long'.repeat(3))

    const server = await startEmbeddedPostgres({ dataDir: deep })

    await withDatabase(server, ({ db }) => sql`select 1`.execute(db))
    expect(server.connection.socketDir.startsWith(tmpdir())).toBe(true)
    await server.stop()
    await rm(server.connection.socketDir, { recursive: true })
    await rm(deep, { recursive: true })
  })

  it.runIf(process.getuid?.() === 0)('names the directory that the server user cannot pass', async () => {
    const closed = join(parent, 'closed')
    await mkdir(closed, { mode: 0o700 })

    await expect(startEmbeddedPostgres({ dataDir: join(closed, 'data') })).rejects.toThrow(
      `cannot pass through ${closed}:`,
    )
  })
})

/** Another process that uses the same database. */
function otherProcess(directory: string) {
  const script = fileURLToPath(new URL('__fixtures__/use-server.ts', import.meta.url))
  const child = spawn(process.execPath, [script, directory], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const ready = once(createInterface({ input: child.stdout }), 'line').then(([line]) => Number(line))
  return {
    /** The process ID of the server. */
    ready,
    async leave() {
      child.stdin.end()
      await exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

describe('processes on one machine', { timeout: 60_000 }, () => {
  it('share one server, which the first one starts and the last one stops', async () => {
    const directory = join(parent, 'shared')
    const processes = [otherProcess(directory), otherProcess(directory), otherProcess(directory)]
    const pids = await Promise.all(processes.map(({ ready }) => ready))
    expect(new Set(pids).size).toBe(1)

    await processes[0]!.leave()
    await processes[1]!.leave()
    expect(await serves(pids[0]!, directory)).toBe(true)
    await processes[2]!.leave()

    expect(await serves(pids[0]!, directory)).toBe(false)
  })

  it('find the server that a killed process left running', async () => {
    const killed = otherProcess(dataDir)
    const pid = await killed.ready
    await killed.kill()
    expect(await serves(pid)).toBe(true)

    const server = await startEmbeddedPostgres({ dataDir })
    expect(await postmasterPid()).toBe(pid)
    await server.stop()

    expect(await serves(pid)).toBe(false)
  })
})
