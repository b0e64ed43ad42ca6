import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { outFolder } from './paths.ts'
import { pinToCores } from './run-command.ts'

export interface StartedProcess {
  readonly name: string
  readonly pid: number
  readonly port: number
  stop(): Promise<void>
}

interface StartOptions {
  name: string
  program: string
  args: readonly string[]
  port: number
  cores: string
  env?: NodeJS.ProcessEnv
  cwd?: string
}

const START_LIMIT_MS = 30_000
const STOP_LIMIT_MS = 20_000

/** Otherwise a signal would end this process without stopping its children. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

/** Starts a program on some cores and waits until it listens. Its output goes to a file in `out/logs`. */
export async function startProcess({
  name,
  program,
  args,
  port,
  cores,
  env,
  cwd,
}: StartOptions): Promise<StartedProcess> {
  const log = openSync(`${await outFolder('logs')}${name}.log`, 'w')
  const [command, ...rest] = pinToCores(program, args, cores)
  const child = spawn(command, rest, { stdio: ['ignore', log, log], env: { ...ofAnyProcess(), ...env }, cwd })
  const ended = once(child, 'exit')
  const endWithUs = () => void child.kill('SIGKILL')
  process.once('exit', endWithUs)

  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const stop = async () => {
    process.off('exit', endWithUs)
    if (hasEnded()) return
    child.kill('SIGTERM')
    const tooLong = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
    await ended
    clearTimeout(tooLong)
  }
  const deadline = performance.now() + START_LIMIT_MS
  while (!(await listens(port))) {
    if (hasEnded() || performance.now() > deadline) {
      await stop()
      throw new Error(`${name} does not listen on ${port}; see out/logs/${name}.log`)
    }
    await pause(20)
  }
  return { name, pid: child.pid!, port, stop }
}

/** Variables of the developer's shell must not affect the measurement. */
export function ofAnyProcess(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, TZ } = process.env
  return { PATH, HOME, TMPDIR, TZ }
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
