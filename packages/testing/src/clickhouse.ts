import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { clickHouseReceiver, connectClickHouse, shipParcels, type Db } from '@tidegate/storage'

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

/** Sends what a stopped site has left in its outbox, and returns the charged rows that ClickHouse has. */
export async function deliveredLogRows(db: Db, url: string): Promise<DeliveredLogRow[]> {
  const clickhouse = connectClickHouse({ url, timeoutMs: 30_000 })
  try {
    const { signal } = new AbortController()
    const receiver = clickHouseReceiver(clickhouse)
    while ((await shipParcels({ db, receiver, rowsPerSecond: Infinity, signal })) > 0);
    const columns = 'request_id, quota, prompt_tokens, completion_tokens, is_stream, other'
    const rows = await clickhouse.rows<Omit<DeliveredLogRow, 'other'> & { other: string }>({
      texts: [`select ${columns} from usage_log where request_id != '' and type = 2`],
      values: [],
    })
    return rows.map((row) => ({ ...row, other: JSON.parse(row.other) as object }))
  } finally {
    await clickhouse.close()
  }
}

interface DeliveredLogRow {
  request_id: string
  quota: number
  prompt_tokens: number
  completion_tokens: number
  is_stream: boolean
  other: object
}
