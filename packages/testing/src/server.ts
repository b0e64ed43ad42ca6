import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { chmod, glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

/** A log line of the server: its fields if it is JSON, else the text as `msg`. */
export type LogLine = Readonly<Record<string, unknown>>

export interface RunningServer {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly dataDirectory: string
  readonly logs: readonly LogLine[]
  /** From the start of the process to the first 200 of `/readyz`. */
  readonly readyAfterMs: number
  /** Stops the server gracefully, waits, and removes its data. Returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Kills the process like a crash. A given data directory is kept. */
  kill(): Promise<void>
}

export interface ServerOptions {
  /** A log level above `info` would hide the line with the port. */
  env?: Record<string, string>
  /** Arguments after `start`. */
  args?: readonly string[]
  /** Data directory that is kept; by default a temporary one. */
  dataDirectory?: string
  /** The program of another build. */
  program?: string | undefined
}

const REPOSITORY = new URL('../../../', import.meta.url)
const BUILT = new URL('apps/server/dist/tidegate.mjs', REPOSITORY)
const SOURCE = new URL('apps/server/src/main.ts', REPOSITORY)
/** Shared compile cache: servers start in half the time. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: new URL('node_modules/.cache/server', REPOSITORY).pathname }
/** `TEST_SERVER=sources` runs the sources without a build. */
const PROGRAM = process.env.TEST_SERVER === 'sources' ? SOURCE : BUILT
const READY_LIMIT_MS = 120_000
const STOP_LIMIT_MS = 30_000

/** Starts a server on a free port and waits until it is ready. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const dataDirectory = options.dataDirectory ?? (await throwAwayDirectory())
  const startedAt = performance.now()
  const child = spawnServer(options, dataDirectory)
  const log = collectLog(child)

  const cleanUp = async () => {
    process.off('exit', endWithUs)
    if (options.dataDirectory !== undefined) return
    await stopLeftOverDatabase(dataDirectory)
    await removeDirectory(dataDirectory)
  }
  // An aborted test run must not leave servers behind; SIGTERM also stops the embedded database.
  const endWithUs = () => void child.kill('SIGTERM')
  process.once('exit', endWithUs)

  try {
    const port = await listeningPort(child, log)
    const url = `http://127.0.0.1:${port}`
    await untilReady(url, child, log)
    return {
      url,
      port,
      pid: child.pid!,
      dataDirectory,
      logs: log.lines,
      readyAfterMs: performance.now() - startedAt,
      async stop(signal = 'SIGTERM') {
        const code = await end(child, signal)
        await cleanUp()
        return code
      },
      async kill() {
        await end(child, 'SIGKILL')
        await cleanUp()
      },
    }
  } catch (error) {
    await end(child, 'SIGKILL')
    await cleanUp()
    throw error
  }
}

function spawnServer(
  { env = {}, args = [], program = PROGRAM.pathname }: ServerOptions,
  dataDirectory: string,
): ChildProcess {
  return spawn(process.execPath, [program, 'start', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      // A minimal environment: settings of the developer's shell must not affect tests.
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: process.env.TMPDIR,
      TZ: process.env.TZ,
      HOST: '127.0.0.1',
      PORT: '0',
      ...COMPILE_CACHE,
      TIDEGATE_DATA_DIR: dataDirectory,
      TIDEGATE_ALLOW_PRIVATE_UPSTREAMS: 'true',
      GLOBAL_API_RATE_LIMIT: '1000000',
      // The number of cores must not decide what a test starts. Tests of several processes set this themselves.
      TIDEGATE_PROCESSES: '1',
      ...env,
    },
  })
}

interface Log {
  readonly lines: LogLine[]
  readonly added: EventEmitter<{ line: [LogLine] }>
}

function collectLog(child: ChildProcess): Log {
  const log: Log = { lines: [], added: new EventEmitter() }
  for (const stream of [child.stdout!, child.stderr!]) {
    createInterface({ input: stream }).on('line', (text) => {
      const line = parseLine(text)
      log.lines.push(line)
      log.added.emit('line', line)
    })
  }
  return log
}

function parseLine(line: string): LogLine {
  try {
    const fields: unknown = JSON.parse(line)
    return typeof fields === 'object' && fields !== null ? (fields as LogLine) : { msg: line }
  } catch {
    return { msg: line }
  }
}

async function listeningPort(child: ChildProcess, { lines, added }: Log): Promise<number> {
  return await new Promise((resolve, reject) => {
    const check = ({ msg, port }: LogLine) => {
      if (msg === 'listening' && typeof port === 'number') finish(() => resolve(port))
    }
    const fail = (reason: string) => finish(() => reject(new Error(`${reason}\n${lastLines(lines)}`)))
    const onEnd = () => fail(`the server ended with code ${child.exitCode} before it listened`)
    const onError = (error: Error) => fail(error.message)
    const timer = setTimeout(() => fail(`the server did not listen within ${READY_LIMIT_MS} ms`), READY_LIMIT_MS)
    const finish = (then: () => void) => {
      clearTimeout(timer)
      added.off('line', check)
      child.off('close', onEnd).off('error', onError)
      then()
    }
    added.on('line', check)
    child.on('close', onEnd).on('error', onError)
  })
}

async function untilReady(url: string, child: ChildProcess, { lines }: Log): Promise<void> {
  const deadline = performance.now() + READY_LIMIT_MS
  for (;;) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    const body = await response?.text()
    if (response?.status === 200) return
    if (child.exitCode !== null || performance.now() > deadline) {
      throw new Error(`the server was not ready: ${response?.status} ${body}\n${lastLines(lines)}`)
    }
    await delay(10)
  }
}

function lastLines(lines: readonly LogLine[]): string {
  return lines
    .slice(-20)
    .map((line) => JSON.stringify(line))
    .join('\n')
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return child.exitCode
  const ended = once(child, 'exit')
  child.kill(signal)
  const tooLong = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await ended
  clearTimeout(tooLong)
  return child.exitCode
}

/** Creates a temporary data directory that other users can enter: for root, the embedded database runs as `nobody`. */
export async function throwAwayDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tidegate-test-'))
  await chmod(directory, 0o755)
  return directory
}

export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}

/** Stops an embedded database that outlived its killed server. */
export async function stopLeftOverDatabase(dataDirectory: string): Promise<void> {
  for await (const file of glob('**/postmaster.pid', { cwd: dataDirectory })) {
    const [firstLine] = (await readFile(join(dataDirectory, file), 'utf8').catch(() => '')).split('\n')
    const pid = Number(firstLine)
    // Immediate shutdown: the directory is deleted anyway.
    if (pid > 1 && sendSignal(pid, 'SIGQUIT')) await untilEnded(pid)
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

async function untilEnded(pid: number): Promise<void> {
  const deadline = Date.now() + 10_000
  while (sendSignal(pid, 0) && Date.now() < deadline) await delay(20)
}
