import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, glob } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { removeDirectory, throwAwayDirectory } from '@tidegate/testing'
import { until } from './until.ts'

/** A private service that can be stopped without affecting anything else. */
export interface PrivateService {
  readonly url: string
  start(): Promise<void>
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  remove(): Promise<void>
}

const START_LIMIT_MS = 20_000
const run = promisify(execFile)

/** A PostgreSQL cluster created with the binaries of this machine. */
export async function privatePostgres(): Promise<PrivateService> {
  const bin = await newestBinaries()
  const data = await directoryOfPostgres()
  const port = await freePort()
  await asPostgres(join(bin, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'trust')
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${data} -c max_connections=100`
  const control = (...args: string[]) => asPostgres(join(bin, 'pg_ctl'), '-D', data, '-w', ...args)
  const service: PrivateService = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start: () => control('-l', join(data, 'server.log'), '-o', options, 'start'),
    stop: (mode = 'fast') => control('-m', mode, 'stop'),
    async remove() {
      await service.stop('immediate').catch(() => {}) // it may be stopped already
      await removeDirectory(data)
    },
  }
  await service.start()
  return service
}

export interface PrivateRedis extends PrivateService {
  /** The scripts that clients have run since the start. */
  scriptCalls(): Promise<number>
}

export async function privateRedis(): Promise<PrivateRedis> {
  const directory = await throwAwayDirectory()
  const port = await freePort()
  let child: ReturnType<typeof spawn> | undefined
  const service: PrivateRedis = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory]
      child = spawn('redis-server', args, { stdio: 'ignore' })
      if (!(await until(() => listens(port), START_LIMIT_MS))) throw new Error('redis-server did not start')
    },
    async stop() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    async remove() {
      await service.stop()
      await removeDirectory(directory)
    },
    async scriptCalls() {
      const { stdout } = await run('redis-cli', ['-p', String(port), 'info', 'commandstats'])
      const calls = stdout.matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm)
      return [...calls].reduce((sum, [, count]) => sum + Number(count), 0)
    },
  }
  await service.start()
  return service
}

export async function newestBinaries(): Promise<string> {
  const found: string[] = []
  for await (const directory of glob('/usr/lib/postgresql/*/bin')) found.push(directory)
  const newest = found.toSorted().at(-1)
  if (newest === undefined) throw new Error('no PostgreSQL under /usr/lib/postgresql')
  return newest
}

export async function directoryOfPostgres(): Promise<string> {
  const directory = await throwAwayDirectory()
  if (isRoot()) {
    const [user, group] = await Promise.all([idOf('-u'), idOf('-g')])
    await chown(directory, user, group)
  }
  return directory
}

const isRoot = () => process.getuid?.() === 0

async function idOf(which: '-u' | '-g'): Promise<number> {
  return Number((await run('id', [which, 'postgres'])).stdout)
}

/** PostgreSQL does not run as root. The server must not keep our pipes open. */
export async function asPostgres(program: string, ...args: string[]): Promise<void> {
  const [command, ...rest] = isRoot() ? ['runuser', '-u', 'postgres', '--', program, ...args] : [program, ...args]
  const child = spawn(command, rest, { stdio: 'ignore', cwd: '/' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`)
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (response: boolean) => {
      socket.destroy()
      resolve(response)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}

/** Runs a program and returns its output. Throws an error with the output if it fails. */
export async function runProgram(program: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)(program, args)).stdout
}
