import { randomBytes } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { hasCode } from '../connection/error-codes.ts'
import type { Layout } from './layout.ts'

/** A holder alive this long is taken for another process that got the number of a dead one. */
const STALE_AFTER_MS = 120_000

/** Within this process callers queue here, so a lock file with our own number is always a dead process's. */
const queues = new Map<string, Promise<unknown>>()

/** Runs `work` while no other process starts or stops the same server. */
export function withStartLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const result = (queues.get(path) ?? Promise.resolve()).then(() => withFileLock(path, work))
  queues.set(
    path,
    result.catch(() => {}),
  )
  return result
}

async function withFileLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const ownMark = `${process.pid} ${randomBytes(8).toString('hex')}`
  while (!(await tryLock(path, ownMark))) {
    const stale = await staleMark(path)
    if (stale === undefined) await delay(20)
    else await removeLock(path, stale)
  }
  try {
    return await work()
  } finally {
    await removeLock(path, ownMark)
  }
}

/** Linking a finished file into place either gives the lock with our mark in it or does nothing. */
async function tryLock(path: string, mark: string): Promise<boolean> {
  const temporary = temporaryPath(path)
  await writeFile(temporary, mark)
  try {
    await link(temporary, path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

/** The mark in the lock when its holder is gone. */
async function staleMark(path: string): Promise<string | undefined> {
  try {
    const [mark, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    const holder = Number.parseInt(mark, 10)
    const isGone = holder === process.pid || !isAlive(holder)
    return isGone || Date.now() - mtimeMs > STALE_AFTER_MS ? mark : undefined
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Removes the lock with this mark. Moved aside first: one that somebody else took in the meantime is put back. */
async function removeLock(path: string, mark: string): Promise<void> {
  const temporary = temporaryPath(path)
  try {
    await rename(path, temporary)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  if ((await readFile(temporary, 'utf8')) !== mark) await link(temporary, path).catch(() => {})
  await rm(temporary, { force: true })
}

function temporaryPath(path: string): string {
  return `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
}

/**
 * Several processes on one machine share one server: the first starts it, the last one out stops it. Each leaves a
 * file named by its process number while it uses the server. Called under the start lock.
 */
export async function attachToServer(layout: Layout): Promise<string> {
  await mkdir(layout.attachments, { recursive: true })
  const name = `${process.pid}-${randomBytes(4).toString('hex')}`
  await writeFile(join(layout.attachments, name), '')
  return name
}

/** True when nobody else uses the server any more. Processes that died without leaving are not counted. */
export async function detachFromServer(layout: Layout, name: string): Promise<boolean> {
  await rm(join(layout.attachments, name), { force: true })
  const others = await readdir(layout.attachments)
  return others.every((other) => !isAlive(Number(other.split('-')[0])))
}

/** A server that is not running has no users; what is left are the files of dead processes. */
export async function clearAttachments(layout: Layout): Promise<void> {
  await rm(layout.attachments, { recursive: true, force: true })
}

/** Whether a process of this number exists, ours to signal or not. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}
