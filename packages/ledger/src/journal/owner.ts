import { randomBytes } from 'node:crypto'
import { link, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Identifies a process, also if its pid is reused later. */
interface Owner {
  pid: number
  /** Start time of the process, from the kernel. */
  started: string
  /** The pid namespace and boot id in which the pid is valid. */
  space: string
}

/** The newest owner, where processes of the release before look for it. */
const FILE = 'owner.json'
/** Each owner has the next number. Creating its file decides which process takes over. */
const NUMBERED = /^owner-(\d+)\.json$/

export interface Ownership {
  /** `unknown` if the owner runs where we cannot look, such as in another container. */
  readonly state: 'alive' | 'dead' | 'unknown'
  readonly number: number
  /** It is alive, but not a process of our supervisor. */
  readonly isOrphan: boolean
}

export async function claimDirectory(directory: string): Promise<void> {
  await writeFile(join(directory, FILE), JSON.stringify(await describeProcess(process.pid)), { mode: 0o600 })
}

/** Takes the directory over from the owner that was found. False if another process was faster. */
export async function takeOver(directory: string, { number }: Ownership): Promise<boolean> {
  const temporary = join(directory, `owner.${process.pid}.${randomBytes(4).toString('hex')}`)
  try {
    await writeFile(temporary, JSON.stringify(await describeProcess(process.pid)), { mode: 0o600 })
    await link(temporary, join(directory, `owner-${number + 1}.json`))
    await rename(temporary, join(directory, FILE))
    return true
  } catch (error) {
    await rm(temporary, { force: true })
    // Taken over, or settled and removed.
    if (['EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

export async function findOwnership(directory: string): Promise<Ownership> {
  const names = await readdir(directory).catch(() => [])
  const number = Math.max(0, ...names.map((name) => Number(NUMBERED.exec(name)?.[1] ?? 0)))
  const owner = await readOwner(join(directory, number === 0 ? FILE : `owner-${number}.json`))
  const state = await stateOf(owner)
  return { state, number, isOrphan: state === 'alive' && (await isOrphan(owner!.pid)) }
}

async function stateOf(owner: Owner | undefined): Promise<Ownership['state']> {
  const self = await describeProcess(process.pid)
  if (!owner || owner.space !== self.space) return 'unknown'
  const now = await describeProcess(owner.pid)
  return now.started === owner.started && now.started !== '' ? 'alive' : 'dead'
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner
  } catch {
    return undefined // killed before it wrote the file
  }
}

async function describeProcess(pid: number): Promise<Owner> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return { pid, started: await startOf(pid), space: `${boot.trim()} ${namespace}` }
}

async function startOf(pid: number): Promise<string> {
  const fields = await statusOf(pid)
  if (fields) return fields[19] ?? ''
  return process.platform === 'linux' ? '' : startWithoutProc(pid)
}

async function isOrphan(pid: number): Promise<boolean> {
  const parent = (await statusOf(pid))?.[1]
  return parent !== undefined && pid !== process.pid && Number(parent) !== process.ppid
}

/** The fields after the process name, which may contain spaces and parentheses: from the state on, the third of all. */
async function statusOf(pid: number): Promise<string[] | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return line?.slice(line.lastIndexOf(')') + 2).split(' ')
}

function startWithoutProc(pid: number): string {
  try {
    process.kill(pid, 0)
    return 'running'
  } catch {
    return ''
  }
}
