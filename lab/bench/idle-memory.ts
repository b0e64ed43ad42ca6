import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { startServer } from '@tidegate/testing'
import type { Metric } from './report.ts'

const SETTLE_MS = 5000

/** The memory of the idle product: the server and its embedded database. */
export async function measureIdleMemory(): Promise<Metric[]> {
  const server = await startServer()
  try {
    await delay(SETTLE_MS)
    const processes = await processTree(server.pid)
    const memory = await Promise.all(processes.map(memoryOf))
    const total = (kind: 'rss' | 'pss') => memory.reduce((sum, of) => sum + of[kind], 0) / 1024
    const own = memory[0]!
    return [
      {
        name: 'idle memory, process tree, PSS',
        value: total('pss'),
        unit: 'MB',
        note: `${processes.length} processes`,
      },
      {
        name: 'idle memory, process tree, RSS',
        value: total('rss'),
        unit: 'MB',
        note: 'counts shared pages many times',
      },
      { name: 'idle memory, server alone, PSS', value: own.pss / 1024, unit: 'MB' },
    ]
  } finally {
    await server.stop()
  }
}

/** The process and all its descendants, itself first. */
async function processTree(root: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const entry of await readdir('/proc')) {
    const status = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/status`, 'utf8').catch(() => '') : ''
    const parent = /^PPid:\s+(\d+)/m.exec(status)?.[1]
    if (parent !== undefined) parents.set(Number(entry), Number(parent))
  }
  const belongs = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent !== undefined && (parent === root || belongs(parent))
  }
  return [root, ...[...parents.keys()].filter(belongs)]
}

/** In kilobytes, as the kernel reports them. */
async function memoryOf(pid: number): Promise<{ rss: number; pss: number }> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0)
  return { rss: field('Rss'), pss: field('Pss') }
}
