import { connectDatabase } from '@tidegate/storage'
import { vault } from './seeded-site.ts'
import { sealLedger } from '../src/seals/seal-ledger.ts'

/** Seals one row at a time and kills itself in the third seal, after its row was marked. Argument: the database. */
const { db } = connectDatabase({ url: process.argv[2]!, poolSize: 1, applicationName: 'victim' })
let seals = 0
const crashingVault: typeof vault = {
  ...vault,
  keyedHash(purpose, text) {
    if (++seals === 3) process.kill(process.pid, 'SIGKILL')
    return vault.keyedHash(purpose, text)
  },
}
await sealLedger(db, { vault: crashingVault, now: new Date(), limit: 1 })
