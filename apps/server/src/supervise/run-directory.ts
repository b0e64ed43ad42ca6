import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Files of a running family, which only its user can read. */
export interface RunDirectory {
  readonly controlSocket: string
  remove(): Promise<void>
}

/** Operating systems limit socket paths to about this many bytes. */
const MAX_SOCKET_PATH_BYTES = 100
const SOCKET_NAME = /^control-\d+\.sock$/

/** Creates the directory, and removes what a family that was killed left behind. */
export async function openRunDirectory(dataDirectory: string): Promise<RunDirectory> {
  const directory = runDirectoryOf(dataDirectory)
  // Other users may enter a new data directory, for the embedded database, but not list it.
  await mkdir(dataDirectory, { recursive: true, mode: 0o711 })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await chmod(directory, 0o700)
  await removeDeadSockets(directory)
  const name = `control-${process.pid}.sock`
  const beside = join(directory, name)
  const isTooLong = Buffer.byteLength(beside) > MAX_SOCKET_PATH_BYTES
  const temporary = isTooLong ? await mkdtemp(join(tmpdir(), 'tidegate-')) : undefined
  await writeFile(pidFile(dataDirectory), `${process.pid}\n`, { mode: 0o600 })
  return {
    controlSocket: temporary === undefined ? beside : join(temporary, name),
    async remove() {
      await rm(beside, { force: true })
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true })
      if ((await readSupervisorPid(dataDirectory)) === process.pid) await rm(pidFile(dataDirectory), { force: true })
    },
  }
}

/** The supervisor that uses the data directory, if one runs. */
export async function readSupervisorPid(dataDirectory: string): Promise<number | undefined> {
  const pid = Number.parseInt(await readFile(pidFile(dataDirectory), 'utf8').catch(() => ''), 10)
  return Number.isInteger(pid) && (await isSupervisor(pid)) ? pid : undefined
}

/** The title of the supervisor's process. It distinguishes a supervisor from another process with its ID. */
export const SUPERVISOR_TITLE = 'tidegate supervisor'

async function isSupervisor(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => SUPERVISOR_TITLE)
  return command.startsWith(SUPERVISOR_TITLE)
}

function runDirectoryOf(dataDirectory: string): string {
  return join(dataDirectory, 'run')
}

function pidFile(dataDirectory: string): string {
  return join(runDirectoryOf(dataDirectory), 'tidegate.pid')
}

async function removeDeadSockets(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => SOCKET_NAME.test(name))
  for (const path of names.map((name) => join(directory, name))) {
    if (!(await isListening(path))) await rm(path, { force: true })
  }
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => settle(true)).once('error', () => settle(false))
    const settle = (listening: boolean) => {
      socket.destroy()
      resolve(listening)
    }
  })
}
