import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'

/** A ClickHouse engine behind its HTTP interface. */
export interface TestClickHouse {
  readonly port: number
  /** A database of its own in each call. */
  newUrl(): string
  /** Executes every n-th insert, and loses its response. 0 stops that. */
  loseResponses(every: number): Promise<void>
  /** Ends the engine like a crash. Its data stay. */
  stop(): Promise<void>
  /** Starts it again at the same port, with the same data. */
  start(): Promise<void>
  close(): Promise<void>
}

const ENGINE = fileURLToPath(new URL('../clickhouse-engine/', import.meta.url))

export async function startClickHouse(): Promise<TestClickHouse> {
  if (!existsSync(join(ENGINE, 'node_modules', 'chdb'))) throw new Error('run `npm run clickhouse:install` first')
  const directory = await mkdtemp(join(tmpdir(), 'tidegate-clickhouse-'))
  let { child, port } = await startEngine(directory, 0)
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return {
    port,
    newUrl: () => `clickhouse://default:@127.0.0.1:${port}/test_${randomBytes(4).toString('hex')}`,
    async loseResponses(every) {
      await fetch(`http://127.0.0.1:${port}/fault`, { method: 'POST', body: JSON.stringify({ loseEvery: every }) })
    },
    stop,
    async start() {
      ;({ child, port } = await startEngine(directory, port))
    },
    async close() {
      await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function startEngine(directory: string, port: number) {
  const child = spawn(process.execPath, [join(ENGINE, 'server.mjs'), join(directory, 'data'), String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, port: Number(line) }
}
