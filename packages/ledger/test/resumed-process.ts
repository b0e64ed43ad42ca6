import { flushCompileCache } from 'node:module'
import { connectDatabase } from '@tidegate/storage'
import { openCredit } from '../src/credit.ts'
import { takeOverDeadProcess } from '../src/resume.ts'
import { outcome, quiet } from './books.ts'

/**
 * A process for tests to kill: continues a dead process without the database, settles requests one after the other, and
 * sends those it confirmed, and null after a rejection. Arguments: database, journal directory, user, token and outage
 * credit.
 */
flushCompileCache() // a killed process does not write it
const [url, journals, user, token, limit = '0'] = process.argv.slice(2) as [string, string, string, string, string?]
const { db } = connectDatabase({ url, poolSize: 4, applicationName: 'resumed' })
const holder = (await takeOverDeadProcess(journals, 'gateway'))!
const options = { withoutDatabase: true, deadlineMs: 1000, outageCredit: () => Number(limit) }
const credit = await openCredit({ db, holder, journals, keepLog: () => true, log: quiet, ...options })
const request = { userId: Number(user), tokenId: Number(token), tokenUnlimited: false, mayOverdraw: true }

const send = (message: string | null) => new Promise((sent) => process.send!(message, sent))
try {
  for (let call = 0; ; call++) {
    const requestId = `${holder}-${process.pid}-${call}`
    const reservation = await credit.reserve({ ...request, requestId, amount: 3 })
    await reservation.settle(outcome(3))
    await send(requestId)
  }
} catch {
  await send(null)
}
