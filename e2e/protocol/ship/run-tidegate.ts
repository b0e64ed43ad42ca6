import { spawn, type ChildProcess } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE } from '@tidegate/testing'

export const BUILT = fileURLToPath(new URL('../../../apps/server/dist/tidegate.mjs', import.meta.url))

export interface CommandResult {
  code: number | null
  stdout: string
  stderr: string
}

export interface CommandOptions {
  dataDirectory: string
  env?: Record<string, string>
}

/** Runs a command of the built product to its end. Returns its exit code and output. */
export async function tidegate(args: readonly string[], commandOptions: CommandOptions): Promise<CommandResult> {
  const child = openTidegate(args, commandOptions)
  child.stdin!.end()
  return readResult(child)
}

/** The same with open stdin. */
export function openTidegate(args: readonly string[], { dataDirectory, env = {} }: CommandOptions): ChildProcess {
  const child = spawn(process.execPath, [BUILT, ...args], {
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, TIDEGATE_DATA_DIR: dataDirectory, ...env },
  })
  child.stdin.on('error', () => {}) // a killed process reads no further
  return child
}

export async function readResult(child: ChildProcess): Promise<CommandResult> {
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)])
  return { code: await ended, stdout, stderr }
}
