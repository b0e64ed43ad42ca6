import { readFile, writeFile } from 'node:fs/promises'
import type { Client } from './client.ts'
import { CHANNELS, FEATURES, type Feature, type Outcome } from './features.ts'

/** The file that the documentation and the console read. */
export interface Results {
  readonly channels: readonly { readonly id: string; readonly name: string; readonly model: string }[]
  readonly clients: readonly ClientResults[]
}

interface ClientResults {
  readonly id: string
  readonly name: string
  /** Day of the last run. */
  readonly date: string
  readonly versions: Readonly<Record<string, string>>
  /** By type of channel and feature. */
  readonly results: Readonly<Record<string, Readonly<Partial<Record<Feature, Outcome>>>>>
}

export interface FinishedCell {
  readonly client: Client
  readonly channel: { readonly id: string }
  readonly feature: Feature
  readonly outcome: Outcome
}

/** Replaces the results of the cells that ran, and keeps the others. */
export async function writeResults(
  file: string,
  clients: readonly Client[],
  cells: readonly FinishedCell[],
  versions: Readonly<Record<string, string>>,
): Promise<void> {
  const earlier = await readFile(file, 'utf8').then(
    (text) => (JSON.parse(text) as Results).clients,
    () => [],
  )
  const date = new Date().toISOString().slice(0, 10)
  const rows = clients.flatMap((client) => {
    const before = earlier.find(({ id }) => id === client.id)
    const own = cells.filter((cell) => cell.client === client)
    if (own.length === 0) return before ?? []
    const results = CHANNELS.map(({ id }) => {
      const outcomes = FEATURES.flatMap((feature) => {
        const cell = own.find(({ channel, ...ran }) => channel.id === id && ran.feature === feature)
        const outcome = cell?.outcome ?? before?.results[id]?.[feature]
        return outcome === undefined ? [] : [[feature, outcome] as const]
      })
      return [id, Object.fromEntries(outcomes)] as const
    })
    return {
      id: client.id,
      name: client.name,
      date,
      versions: Object.fromEntries(client.packages.map((name) => [name, versions[name]!])),
      results: Object.fromEntries(results),
    }
  })
  const channels = CHANNELS.map(({ id, name, model }) => ({ id, name, model }))
  const written: Results = { channels, clients: rows }
  await writeFile(file, `${JSON.stringify(written, null, 2)}\n`)
}
