import { mkdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { apiClient, fakeUpstream, lastingDatabase, setUpSite, startServer, SUPER_ADMIN } from '@tidegate/testing'
import { addChannels, addTokens, addUsers } from './accounts.ts'
import { addHistory } from './history.ts'
import {
  addCodes,
  addMessages,
  addOrders,
  addShadowRequests,
  addTasks,
  changeSettings,
  sendRequests,
} from './records.ts'

/** Starts the built product with sample data, to look at every screen. Data stays for the next start. */
const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'tidegate_sample' },
    port: { type: 'string', default: '3100' },
    data: { type: 'string', default: '/var/tmp/tidegate-sample' },
    users: { type: 'string', default: '5000' },
    rows: { type: 'string', default: '200000' },
  },
})

await mkdir(values.data, { recursive: true })
const database = await lastingDatabase(values.database)
const upstream = await fakeUpstream({ port: Number(values.port) + 1, remember: false })
upstream.always({ firstEventAfterMs: 200, betweenEventsMs: 20 })
const server = await startServer({
  dataDirectory: values.data,
  // Constant, so that a later start can read the stored secrets.
  env: { DATABASE_URL: database.url, PORT: values.port, TIDEGATE_SECRET: 'sample-site-'.padEnd(64, '0') },
})
if (database.isNew) await fill()
await database.close()
console.log(`${server.url}   sign in as ${SUPER_ADMIN.username} with ${SUPER_ADMIN.password}, Ctrl-C stops`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void server.stop().then(() => upstream.close()))
}

async function fill(): Promise<void> {
  const { db } = database
  const client = apiClient(server.url)
  await setUpSite(client)
  const steps: Record<string, () => Promise<unknown>> = {
    settings: () => changeSettings(client),
    channels: () => addChannels(client, db, upstream),
    users: () => addUsers(db, Number(values.users)),
    tokens: () => addTokens(client),
    history: () => addHistory(database, { rows: Number(values.rows), days: 30 }),
    codes: () => addCodes(client, db),
    orders: () => addOrders(db),
    tasks: () => addTasks(db),
    messages: () => addMessages(client, db),
    shadow: () => addShadowRequests(db),
    requests: () => sendRequests(client, server.url),
  }
  for (const [name, run] of Object.entries(steps)) {
    console.log(name)
    await run()
  }
}
