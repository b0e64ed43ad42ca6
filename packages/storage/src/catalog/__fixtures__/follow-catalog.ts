/** A node that follows the catalog and prints each version as a line `{"version":…,"models":[…]}`. */
import { once } from 'node:events'
import { connectDatabase } from '../../connection/connect.ts'
import { startSharedListener } from '../../notifications/shared-listener.ts'
import { openVault } from '../../secrets/vault.ts'
import { startCatalogFeed } from '../catalog-feed.ts'
import type { Catalog } from '../catalog.ts'

const [url, rootKey, pollMs] = process.argv.slice(2)
const database = connectDatabase({ url: url!, poolSize: 2, applicationName: 'follower' })
const listener = await startSharedListener(database.newClient, { db: database.db })
const feed = await startCatalogFeed({
  db: database.db,
  vault: openVault(Buffer.from(rootKey!, 'hex')),
  listener,
  pollMs: Number(pollMs),
})

function report(catalog: Catalog): void {
  const keys = [...catalog.channels.values()].flatMap((channel) => channel.keys)
  process.stdout.write(`${JSON.stringify({ version: catalog.version, models: catalog.modelsFor('default'), keys })}\n`)
}

report(feed.current())
feed.onChange(report)
await once(process.stdin.resume(), 'end')
await feed.stop()
await listener.stop()
await database.close()
