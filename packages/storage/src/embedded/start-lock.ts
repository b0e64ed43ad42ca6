import { randomBytes } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { hasCode } from '../connection/error-codes.ts'
import type { Layout } from './layout.ts'

/** A lock older than this is stale: its process ID now belongs to another program. */
const STALE_AFTER_MS = 120_000

/** Callers in this process queue here, so a lock file with our own process ID is always stale. */
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

/** Linking a complete file either creates the lock with our mark in it or fails. */
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

/** The mark of the lock when its holder is gone. */
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

/** Removes the lock with this mark. It is moved first; a lock that another process took in the meantime is put back. */
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
 * Registers this process as a user of the server, with a file named by its process ID. Processes on one machine share
 * one server: the first starts it, the last stops it. Call this and the functions below with the start lock held.
 */
export async function attachToServer(layout: Layout): Promise<string> {
  await mkdir(layout.attachments, { recursive: true })
  const name = `${process.pid}-${randomBytes(4).toString('hex')}`
  await writeFile(join(layout.attachments, name), '')
  return name
}

/** Returns true when no other live process uses the server. */
export async function detachFromServer(layout: Layout, name: string): Promise<boolean> {
  await rm(join(layout.attachments, name), { force: true })
  const others = await readdir(layout.attachments)
  return others.every((other) => !isAlive(Number(other.split('-')[0])))
}

/** Removes the files of dead processes. Call it when the server was not running. */
export async function clearAttachments(layout: Layout): Promise<void> {
  await rm(layout.attachments, { recursive: true, force: true })
}

/** Whether a process with this ID exists, even if we may not signal it. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}
