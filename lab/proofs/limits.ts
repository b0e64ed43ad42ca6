import { parseArgs } from 'node:util'
import { checkRetryAfter } from './limits/retry-after.ts'
import { countRequests, countSuccesses, type CountResult } from '@tidegate/e2e/scenarios/limits/count-requests.ts'
import { countModelTokens } from './limits/tokens-per-minute.ts'
import { crashNode } from './limits/crash-node.ts'
import { checkConcurrency } from '@tidegate/e2e/scenarios/limits/concurrency.ts'
import { openLimitsSite, type LimitsSite } from '@tidegate/e2e/scenarios/limits/limits-site.ts'
import { loseRedis } from './limits/lose-redis.ts'
import { spendSlices } from '@tidegate/e2e/scenarios/limits/spend-slices.ts'

/** `npm run proof -- limits`: limits shared by three gateways. Prints one summary line; exits with 1 on failure. */
const { values } = parseArgs({
  options: { calls: { type: 'string', default: '2000' }, 'at-once': { type: 'string', default: '100' } },
})
const calls = Number(values.calls)
const concurrency = Number(values['at-once'])
const limit = 100
const GATEWAYS = 3
/** Large enough to be spent in slices. */
const slicedLimit = 4_000

interface Outcome {
  summary: string
  failures: string[]
}

const PARTS: Record<string, (site: LimitsSite) => Promise<Outcome>> = {
  async requests(site) {
    const counted = await countRequests(site, { requests: calls, concurrency, limit })
    return { summary: `${describeCounts(counted)}, limit ${limit} requests`, failures: counted.failures }
  },
  async slices(site) {
    const found = await spendSlices(site, { requests: slicedLimit, concurrency, limit: slicedLimit })
    const summary =
      `${found.admittedAtOnce} of ${slicedLimit} accepted while all are busy, ${found.admitted} after idle gateways returned theirs, ` +
      `${found.scriptsBelow} Redis scripts for ${found.admittedBelow} requests below the limit`
    return { summary, failures: found.failures }
  },
  async successes(site) {
    const counted = await countSuccesses(site, { requests: calls, concurrency, limit })
    return { summary: `${describeCounts(counted)}, limit ${limit} successes`, failures: counted.failures }
  },
  async 'tokens per minute'(site) {
    const { admittedTokens, allowedTokens, rejected, milliseconds, failures } = await countModelTokens(site, {
      requests: calls,
      concurrency: 40,
      tokensPerMinute: 100_000,
    })
    const summary = `${admittedTokens} tokens accepted of ${allowedTokens} allowed in ${seconds(milliseconds)}, ${rejected} requests rejected`
    return { summary, failures }
  },
  async 'calls at a time'(site) {
    const found = await checkConcurrency(site, { requests: calls, concurrency, limit: 20 })
    const summary =
      `at most ${found.maxConcurrent} of ${concurrency} at the upstream at a time, ${found.admitted} served, ` +
      `${found.rejected} rejected, ${found.admittedAfterAborts} accepted at once after 20 clients disconnected`
    return { summary, failures: found.failures }
  },
  async 'Retry-After'(site) {
    const { waits, admitted, failures } = await checkRetryAfter(site)
    return { summary: `${admitted} of ${waits.length} accepted after waiting ${waits.join(' and ')} s`, failures }
  },
  async 'Redis stopped'(site) {
    const found = await loseRedis(site, { requests: 600, concurrency, limit })
    const summary =
      `${found.admittedMidway} accepted while it stopped, ${found.admittedAway.join(' and ')} by each process while it was down, ` +
      `${found.admittedAfter} by both when it was back, too little money still ${found.rejectedForCredit}`
    return { summary, failures: found.failures }
  },
  async 'a gateway killed'(site) {
    const { freeAfterMs, failures } = await crashNode(site)
    return {
      summary: `its lease was free after ${seconds(freeAfterMs)}, that of a long stream elsewhere was not`,
      failures,
    }
  },
}

const site = await openLimitsSite({ gateways: GATEWAYS })
const summaries: string[] = []
let hasFailed = false
try {
  for (const [name, run] of Object.entries(PARTS)) {
    const { summary, failures: short } = await run(site)
    console.log(`${name}: ${summary}`)
    for (const failure of short) console.error(`${name}: ${failure}`)
    hasFailed ||= short.length > 0
    summaries.push(`${name}: ${summary}`)
  }
} finally {
  await site.close()
}
console.log(`proof limits ${hasFailed ? 'fails' : 'holds'} on ${GATEWAYS} gateways: ${summaries.join('; ')}`)
process.exitCode = hasFailed ? 1 : 0

function describeCounts({ offered, admitted, rejected, failed, milliseconds }: CountResult): string {
  const failures = failed > 0 ? `, ${failed} failed by the upstream` : ''
  return `${admitted} of ${offered} accepted, ${rejected} rejected${failures} in ${seconds(milliseconds)}`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
