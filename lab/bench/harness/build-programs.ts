import { access, cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { NATIVE, OUT, outFolder, REPOSITORY } from './paths.ts'
import { runCommand } from './run-command.ts'
import { freePort, type StartedProcess, startProcess } from './start-process.ts'

let taken: Promise<string> | undefined

/**
 * The path of the built product, copied once per run: a build meanwhile would replace its files, and parts of one run
 * would measure different products. Builds it if it is missing.
 */
export function copyOfProduct(): Promise<string> {
  return (taken ??= copyProduct())
}

async function copyProduct(): Promise<string> {
  const built = join(REPOSITORY, 'apps/server/dist')
  const isBuilt = await access(join(built, 'tidegate.mjs')).then(
    () => true,
    () => false,
  )
  if (!isBuilt) {
    console.error('building the product …')
    await runCommand('npm', ['run', '--silent', 'build'], { cwd: REPOSITORY })
  }
  const copy = join(OUT, 'dist')
  await rm(copy, { recursive: true, force: true })
  await cp(built, copy, { recursive: true })
  return join(copy, 'tidegate.mjs')
}

/** Compiles the upstream and the load generator. */
export async function buildNative(): Promise<void> {
  await outFolder('')
  for (const name of ['mock', 'load']) await runCommand('cc', ['-O2', '-o', `${OUT}${name}`, `${NATIVE}${name}.c`])
}

export async function startMock(cores: string): Promise<StartedProcess> {
  const port = await freePort()
  return await startProcess({ name: 'mock', program: `${OUT}mock`, args: [String(port)], port, cores })
}
