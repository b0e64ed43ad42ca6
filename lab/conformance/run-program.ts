import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface ProgramResult {
  readonly code: number | null
  readonly output: string
  readonly errors: string
  /** It did not end by itself. */
  readonly timedOut: boolean
  readonly milliseconds: number
}

export interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
  readonly limitMs: number
}

/**
 * Runs a program to its end. Its environment is only what is given: settings of the developer must not matter. Beside its
 * directory it leaves `output.txt` and `errors.txt`: through a pipe, programs that exit at once lose what is not read yet.
 */
export async function runProgram({ file, args, directory, env, limitMs }: Program): Promise<ProgramResult> {
  const [output, errors] = ['output.txt', 'errors.txt'].map((name) => join(dirname(directory), name)) as [
    string,
    string,
  ]
  const [stdout, stderr] = await Promise.all([open(output, 'a'), open(errors, 'a')])
  const startedAt = performance.now()
  const child = spawn(file, args, { cwd: directory, env, stdio: ['ignore', stdout.fd, stderr.fd], detached: true })
  let timedOut = false
  // The group: agents start children of their own.
  const endGroup = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  const timer = setTimeout(() => {
    timedOut = true
    endGroup()
  }, limitMs)
  process.once('exit', endGroup)
  const [code] = (await once(child, 'exit')) as [number | null]
  const milliseconds = Math.round(performance.now() - startedAt)
  endGroup()
  clearTimeout(timer)
  process.off('exit', endGroup)
  await Promise.all([stdout.close(), stderr.close()])
  const texts = await Promise.all([output, errors].map((path) => readFile(path, 'utf8')))
  return { code, output: texts[0]!, errors: texts[1]!, timedOut, milliseconds }
}
