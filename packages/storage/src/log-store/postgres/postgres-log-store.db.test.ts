import { workerDatabase } from '@tidegate/testing'
import { logStoreSuite } from '../../../test/log-store-suite.ts'
import { tableLogWriter } from '../log-writer.ts'
import { postgresLogStore } from './postgres-log-store.ts'

logStoreSuite('the log in PostgreSQL', async () => {
  const { db, close } = await workerDatabase()
  return { db, store: postgresLogStore(db), writer: tableLogWriter, deliver: async () => {}, close }
})
