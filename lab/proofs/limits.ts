import { parseArgs } from 'node:util'
import { comeBack } from './limits/retry-after.ts'
import { countRequests, countSuccesses, type Counted } from '@tidegate/e2e/scenarios/limits/count-requests.ts'
import { countModelTokens } from './limits/tokens-per-minute.ts'
import { crashNode } from './limits/crash-node.ts'
import { holdPlaces } from '@tidegate/e2e/scenarios/limits/concurrency.ts'
import { openLimitsSite, type LimitsSite } from '@tidegate/e2e/scenarios/limits/limits-site.ts'
import { loseRedis } from './limits/lose-redis.ts'

/** `npm run proof -- limits`: limits shared by two gateways. Ends with one line; exit code 1 when short. */
const { values } = parseArgs({
  options: { calls: { type: 'string', default: '2000' }, 'at-once': { type: 'string', default: '100' } },
})
const calls = Number(values.calls)
const atOnce = Number(values['at-once'])
const limit = 100

interface Outcome {
  figures: string
  short: string[]
}

const PARTS: Record<string, (site: LimitsSite) => Promise<Outcome>> = {
  async requests(site) {
    const counted = await countRequests(site, { calls, atOnce, limit })
    return { figures: `${told(counted)}, limit ${limit} requests`, short: counted.short }
  },
  async successes(site) {
    const counted = await countSuccesses(site, { calls, atOnce, limit })
    return { figures: `${told(counted)}, limit ${limit} successes`, short: counted.short }
  },
  async 'tokens per minute'(site) {
    const { admittedTokens, allowedTokens, refused, milliseconds, short } = await countModelTokens(site, {
      calls,
      atOnce: 40,
      tokensPerMinute: 100_000,
    })
    const figures = `${admittedTokens} tokens let in where ${allowedTokens} were allowed in ${seconds(milliseconds)}, ${refused} calls refused`
    return { figures, short }
  },
  async 'calls at a time'(site) {
    const found = await holdPlaces(site, { calls, atOnce, limit: 20 })
    const figures =
      `at most ${found.mostAtOnce} of ${atOnce} at the upstream at a time, ${found.admitted} served, ` +
      `${found.refused} refused, ${found.admittedAfterHangUps} let in at once after 20 clients hung up`
    return { figures, short: found.short }
  },
  async 'Retry-After'(site) {
    const { waits, admitted, short } = await comeBack(site)
    return { figures: `${admitted} of ${waits.length} let in after waiting ${waits.join(' and ')} s`, short }
  },
  async 'Redis stopped'(site) {
    const found = await loseRedis(site, { calls: 600, atOnce, limit })
    const figures =
      `${found.admittedMidway} let in while it went, ${found.admittedAway.join(' and ')} by each process while it was away, ` +
      `${found.admittedAfter} by both when it was back, too little money still ${found.refusedForMoney}`
    return { figures, short: found.short }
  },
  async 'a gateway killed'(site) {
    const { freeAfterMs, short } = await crashNode(site)
    return {
      figures: `its place was free after ${seconds(freeAfterMs)}, that of a long stream elsewhere was kept`,
      short,
    }
  },
}

const site = await openLimitsSite()
const words: string[] = []
let isShort = false
try {
  for (const [name, run] of Object.entries(PARTS)) {
    const { figures, short } = await run(site)
    console.log(`${name}: ${figures}`)
    for (const shortage of short) console.error(`${name}: ${shortage}`)
    isShort ||= short.length > 0
    words.push(`${name}: ${figures}`)
  }
} finally {
  await site.close()
}
console.log(`proof limits ${isShort ? 'is short' : 'holds'} on 2 gateways: ${words.join('; ')}`)
process.exitCode = isShort ? 1 : 0

function told({ offered, admitted, refused, failed, milliseconds }: Counted): string {
  const failures = failed > 0 ? `, ${failed} failed by the upstream` : ''
  return `${admitted} of ${offered} let in, ${refused} refused${failures} in ${seconds(milliseconds)}`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
