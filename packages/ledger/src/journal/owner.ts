import { readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Identifies a process, also if its pid is reused later. */
interface Owner {
  pid: number
  /** Start time of the process, from the kernel. */
  started: string
  /** The pid namespace and boot id in which the pid is valid. */
  space: string
}

const FILE = 'owner.json'

export async function claimDirectory(directory: string): Promise<void> {
  await writeFile(join(directory, FILE), JSON.stringify(await describeProcess(process.pid)), { mode: 0o600 })
}

/** `unknown` if the owner runs where we cannot look, such as in another container. */
export async function ownerState(directory: string): Promise<'alive' | 'dead' | 'unknown'> {
  const owner = await readOwner(directory)
  const self = await describeProcess(process.pid)
  if (!owner || owner.space !== self.space) return 'unknown'
  const now = await describeProcess(owner.pid)
  return now.started === owner.started && now.started !== '' ? 'alive' : 'dead'
}

async function readOwner(directory: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, FILE), 'utf8')) as Owner
  } catch {
    return undefined // killed before it wrote the file
  }
}

async function describeProcess(pid: number): Promise<Owner> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return { pid, started: await startOf(pid), space: `${boot.trim()} ${namespace}` }
}

/** Field 22 of the stat line; the process name before it may contain spaces and parentheses. */
async function startOf(pid: number): Promise<string> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (line !== undefined) return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  return process.platform === 'linux' ? '' : startWithoutProc(pid)
}

function startWithoutProc(pid: number): string {
  try {
    process.kill(pid, 0)
    return 'running'
  } catch {
    return ''
  }
}
