import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { serverEnvironment } from './create-cluster.ts'
import type { Layout } from './layout.ts'
import { type ServerUser, spawnAs } from './server-user.ts'
import { isAlive } from './start-lock.ts'

const MAX_LOG_BYTES = 5_000_000

/** The process ID of the server on this cluster, if it runs. */
export async function runningPostmaster(layout: Layout): Promise<number | undefined> {
  const text = await readFile(pidFile(layout), 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return (await isServing(pid, layout)) ? pid : undefined
}

/** Whether this process is the server of this cluster. The ID alone is not enough, because it may have been reused. */
export async function isServing(pid: number, layout: Layout): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return true // other platforms trust the process ID
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.split('\0').includes(layout.cluster)
}

/**
 * Starts the server in its own process group, so that Ctrl-C reaches only us and the database stops last. The server
 * survives a crash of this process; the next start finds it.
 */
export async function launchPostmaster(
  layout: Layout,
  binaries: Binaries,
  socketDir: string,
  user: ServerUser,
): Promise<ChildProcess> {
  await removeStalePidFile(layout)
  const log = await openLog(layout)
  try {
    const child = spawn(
      join(binaries.directory, 'bin', 'postgres'),
      serverArguments(binaries.version, layout.cluster, socketDir),
      {
        ...spawnAs(user),
        cwd: layout.cluster,
        env: serverEnvironment,
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
      },
    )
    child.on('error', () => {}) // reported as an early exit
    child.unref()
    return child
  } finally {
    await log.close()
  }
}

/** The last lines of the server's log, for error messages. */
export async function lastLogLines(layout: Layout): Promise<string> {
  const text = await readFile(layout.log, 'utf8').catch(() => '')
  return text.trim().split('\n').slice(-5).join('\n')
}

function pidFile(layout: Layout): string {
  return join(layout.cluster, 'postmaster.pid')
}

/** After kill -9, especially in a new container, the process ID in the file may belong to another program. */
async function removeStalePidFile(layout: Layout): Promise<void> {
  if ((await runningPostmaster(layout)) === undefined) await rm(pidFile(layout), { force: true })
}

async function openLog(layout: Layout) {
  const size = await stat(layout.log).then(
    (stats) => stats.size,
    () => 0,
  )
  return open(layout.log, size > MAX_LOG_BYTES ? 'w' : 'a', 0o600)
}

/** Fits a machine with 512 MB beside Node, with full durability. */
const settings: Record<string, string> = {
  listen_addresses: '', // reachable only through the socket
  unix_socket_permissions: '0700',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: '80',
  shared_buffers: '32MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  effective_cache_size: '128MB',
  min_wal_size: '32MB',
  max_wal_size: '256MB',
  max_worker_processes: '4',
  max_parallel_workers_per_gather: '0',
  autovacuum_max_workers: '2',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
}

/** Since version 18 the server runs worker processes for reads, which small databases do not need. */
const settings18 = { io_method: 'sync' }

function serverArguments(version: string, cluster: string, socketDir: string): string[] {
  const all = {
    ...settings,
    ...(Number.parseInt(version, 10) >= 18 ? settings18 : {}),
    unix_socket_directories: socketDir,
  }
  return ['-D', cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}
