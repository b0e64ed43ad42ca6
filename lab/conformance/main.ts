import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { AGENT_CLIENTS } from './agents.ts'
import type { Client } from './client.ts'
import { CHANNELS, FEATURES, type ChannelType, type Feature } from './features.ts'
import { installClients, installedVersions } from './install-clients.ts'
import { runCell, type CellResult } from './run-cell.ts'
import { writeResults } from './results.ts'
import { copyPrograms, SDK_CLIENTS } from './sdks.ts'
import { startConformanceSite } from './site.ts'

/** `npm run conformance`: runs real clients on every type of channel. Exits with 1 if a cell fails. */
const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: join(homedir(), '.cache/tidegate-conformance') },
    /** Installs the newest clients first. */
    install: { type: 'boolean', default: false },
    client: { type: 'string', multiple: true },
    channel: { type: 'string', multiple: true },
    feature: { type: 'string', multiple: true },
    /** Updates the results of this file. */
    out: { type: 'string' },
    /** Keeps the folders of the runs. */
    keep: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '2' },
  },
})

const CLIENTS: readonly Client[] = [...AGENT_CLIENTS, ...SDK_CLIENTS]
const folder = resolve(values.clients)
const chosen = <Item extends { id: string }>(items: readonly Item[], ids: readonly string[] | undefined) =>
  ids === undefined ? items : items.filter(({ id }) => ids.includes(id))
const clients = chosen(CLIENTS, values.client)
const packages = [...new Set(clients.flatMap((client) => client.packages))]
if (values.install) await installClients(folder, packages)
await copyPrograms(folder)
const versions = await installedVersions(folder, packages)

interface Cell {
  readonly client: Client
  readonly channel: ChannelType
  readonly feature: Feature
  result?: CellResult
}
const features = FEATURES.filter((feature) => values.feature?.includes(feature) ?? true)
const cells: Cell[] = clients.flatMap((client) =>
  chosen(CHANNELS, values.channel).flatMap((channel) => features.map((feature) => ({ client, channel, feature }))),
)

const site = await startConformanceSite()
const waiting = [...cells]
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void waiting.splice(0))
try {
  await Promise.all(Array.from({ length: Number(values.concurrency) }, runWaiting))
} finally {
  await site.close()
}

async function runWaiting(): Promise<void> {
  for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) {
    const { client, channel, feature } = cell
    const result = await runCell(client, channel, feature, { site, clients: folder, keep: values.keep })
    cell.result = result
    if (result.outcome === 'client' || result.outcome === 'provider') continue
    const seconds = (result.milliseconds / 1000).toFixed(1)
    console.log(
      [result.outcome, client.id, channel.id, feature, `${seconds} s`, `${result.requests} requests`].join('  '),
    )
    for (const failure of result.failures) console.log(`      ${failure}`)
  }
}

const count = (outcome: string) => cells.filter(({ result }) => result?.outcome === outcome).length
console.log(`${count('pass')} cells pass, ${count('fail')} fail`)
if (values.out !== undefined) {
  const finished = cells.flatMap(({ result, ...cell }) => (result ? { ...cell, outcome: result.outcome } : []))
  await writeResults(values.out, CLIENTS, finished, versions)
}
process.exitCode = count('fail') > 0 ? 1 : 0
