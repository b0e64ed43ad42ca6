import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Layout } from './layout.ts'
import { isAlive } from './process-alive.ts'

/**
 * Several processes on one machine share one server: the first starts it, the last one out stops it. Each leaves a
 * file named by its process number while it uses the server. Called under the start lock.
 */
export async function enterServer(layout: Layout): Promise<string> {
  await mkdir(layout.users, { recursive: true })
  const name = `${process.pid}-${randomBytes(4).toString('hex')}`
  await writeFile(join(layout.users, name), '')
  return name
}

/** True when nobody else uses the server any more. Processes that died without leaving are not counted. */
export async function leaveServer(layout: Layout, name: string): Promise<boolean> {
  await rm(join(layout.users, name), { force: true })
  const others = await readdir(layout.users)
  return others.every((other) => !isAlive(Number(other.split('-')[0])))
}

/** A server that is not running has no users; what is left are the files of dead processes. */
export async function forgetUsers(layout: Layout): Promise<void> {
  await rm(layout.users, { recursive: true, force: true })
}
