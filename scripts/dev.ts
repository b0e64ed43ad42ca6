import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

/** Runs everything from source: a fake provider, the server and the console. One address, no external services. */
const ROOT = join(import.meta.dirname, '..')
const CONSOLE = 'http://localhost:5173'
const SERVER = 'http://127.0.0.1:3000'
const UPSTREAM = 'http://127.0.0.1:4010'

const dataDirectory = process.env.TIDEGATE_DATA_DIR ?? defaultDataDirectory()
await mkdir(dataDirectory, { recursive: true, mode: 0o755 })

const children = [
  run('upstream', ['packages/testing/src/fake-upstream/main.ts', '--port', new URL(UPSTREAM).port]),
  run('server', ['--watch', '--watch-preserve-output', 'apps/server/src/main.ts', 'start'], {
    HOST: '127.0.0.1',
    PORT: new URL(SERVER).port,
    TIDEGATE_DATA_DIR: dataDirectory,
    TIDEGATE_ALLOW_PRIVATE_UPSTREAMS: 'true',
    TIDEGATE_LOG_FORMAT: 'pretty',
    TIDEGATE_PROCESSES: '1', // a restart on every change is faster with one process
  }),
  run(
    'console',
    ['../../node_modules/vite/bin/vite.js', '--port', new URL(CONSOLE).port, '--strictPort'],
    {},
    'apps/console',
  ),
]

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void endAll())
for (const child of children) child.once('exit', () => void endAll())

if (await isResponding(`${SERVER}/readyz`)) {
  console.log(`
  Open              ${CONSOLE}
  Fake upstream     ${UPSTREAM}   base URL for a channel of type OpenAI; any key works
  Data              ${dataDirectory}
  Stop              Ctrl-C
`)
}

/** The embedded database runs as another user, who cannot read root's folders. */
function defaultDataDirectory(): string {
  if (process.getuid?.() !== 0) return join(ROOT, '.data')
  return `/var/tmp/tidegate-dev-${createHash('sha256').update(ROOT).digest('hex').slice(0, 8)}`
}

function run(name: string, args: string[], env: Record<string, string> = {}, folder = '.'): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd: join(ROOT, folder),
    env: { ...process.env, TIDEGATE_DEV_SERVER: SERVER, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C reaches only this process, so that the parts stop in order and the database shuts down cleanly.
    detached: true,
  })
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => console.log(`${name.padEnd(8)} │ ${line}`))
  }
  return child
}

/** True once the address responds with 200; false if the run ends first. */
async function isResponding(url: string): Promise<boolean> {
  while (!ending.signal.aborted) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.status === 200) return true
    await delay(100)
  }
  return false
}

async function endAll(): Promise<void> {
  if (ending.signal.aborted) return
  ending.abort()
  const open = children.filter((child) => child.exitCode === null && child.signalCode === null)
  for (const child of open) child.kill('SIGTERM')
  await Promise.all(open.map((child) => once(child, 'exit')))
}
