import { flushCompileCache } from 'node:module'
import { connectDatabase } from '@tidegate/storage'
import { openCredit } from '../src/credit.ts'
import { outcome, quiet } from './books.ts'

/**
 * A process for tests to kill: settles requests one after the other, prints those it confirmed, and streams two more.
 * Arguments: database, journal directory, holder, user and token.
 */
flushCompileCache() // a killed process does not write it
const [url, journals, holder, user, token] = process.argv.slice(2) as [string, string, string, string, string]
const { db } = connectDatabase({ url, poolSize: 4, applicationName: holder })
const credit = await openCredit({ db, holder, journals, keepLog: () => true, log: quiet })
const request = { userId: Number(user), tokenId: Number(token), tokenUnlimited: false }

const stream = await credit.reserve({ ...request, requestId: `${holder}-stream`, amount: 50 })
stream.checkpoint(outcome(7))
await credit.reserve({ ...request, requestId: `${holder}-unheard`, amount: 50 })

for (let call = 0; ; call++) {
  const requestId = `${holder}-${call}`
  const reservation = await credit.reserve({ ...request, requestId, amount: 3 })
  await reservation.settle(outcome(3))
  await new Promise((sent) => process.send!(requestId, sent)) // from here on it is confirmed
}
