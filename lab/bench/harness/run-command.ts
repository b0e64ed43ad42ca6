import { spawn } from 'node:child_process'
import { once } from 'node:events'

interface CommandOptions {
  cores?: string
  cwd?: string
  env?: NodeJS.ProcessEnv
}

/** Runs a program to its end and returns its output. Throws with its error output if it fails. */
export async function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const [command, ...rest] = pinToCores(program, args, options.cores)
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], cwd: options.cwd, env: options.env })
  let written = ''
  let complaints = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${complaints}${written}`)
  if (complaints !== '') console.error(complaints.trimEnd())
  return written
}

/** The command line that pins a program to some cores. */
export function pinToCores(program: string, args: readonly string[], cores?: string): [string, ...string[]] {
  return cores === undefined ? [program, ...args] : ['taskset', '-c', cores, program, ...args]
}
