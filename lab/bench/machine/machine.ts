import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import type { ThrowAwayDatabase } from '@tidegate/testing'

/** The cores of each part, in the format of `taskset`. */
export interface Cores {
  /** Load generator and upstream. */
  readonly load: string
  readonly target: string
  /** A second process of the target. Shares the first one's core if there are few. */
  readonly secondTarget: string
  readonly database: string
}

/** The target gets its own core. On two cores everything else shares the other one. */
export function layOutCores(count = availableParallelism()): Cores {
  if (count === 1) return { load: '0', target: '0', secondTarget: '0', database: '0' }
  return {
    load: '0',
    target: '1',
    secondTarget: count > 3 ? '2' : '1',
    database: count > 2 ? String(count - 1) : '0',
  }
}

/** The limit of open files of a process, from `/proc/self/limits`. */
export function parseOpenFileLimit(text: string): number {
  const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(text)?.[1]
  return hard === undefined || hard === 'unlimited' ? Infinity : Number(hard)
}

/** A relayed stream takes two connections; some files are needed for everything else. */
export function maxStreams(limit = parseOpenFileLimit(readFileSync('/proc/self/limits', 'utf8'))): number {
  return Math.floor((limit - 200) / 2)
}

/** The machine of a measurement in one line, for the foot of a table. */
export async function describeMachine(database?: Pick<ThrowAwayDatabase, 'pool'>): Promise<string> {
  const [first] = cpus()
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GB`
  const server = await database?.pool.query<{ server_version: string }>('show server_version')
  const version = server === undefined ? '' : `, PostgreSQL ${server.rows[0]!.server_version.split(' ', 1)[0]}`
  const date = new Date().toISOString().slice(0, 10)
  return `${date}, ${cpus().length} cores (${first?.model ?? 'unknown'}), ${memory}, Node ${process.version}${version}`
}
