import { access, cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OUT, REPOSITORY } from './paths.ts'
import { runCommand } from './run-command.ts'

let taken: Promise<string> | undefined

/**
 * The built product, copied aside once for the whole run: a build that somebody makes meanwhile would take its files away,
 * and parts of one run would measure different products. Built first when it never was.
 */
export function takeProduct(): Promise<string> {
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
