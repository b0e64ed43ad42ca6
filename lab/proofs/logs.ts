import { parseArgs } from 'node:util'
import { runQueries, queriesAt } from '@tidegate/e2e/scenarios/logs/queries.ts'
import { removeUnderTraffic } from './logs/remove-under-traffic.ts'
import { openSiteWithLogs } from '@tidegate/e2e/scenarios/logs/site-with-logs.ts'
import { exportLogs } from '@tidegate/e2e/scenarios/logs/export-logs.ts'
import { quantile } from '@tidegate/e2e/scenarios/quantile.ts'

/**
 * `npm run proof -- logs`: fills sites of growing size, runs every query of the screens, exports, and removes old rows
 * under load. Prints how response times grow with the rows and one summary line; exits with 1 on failure.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', multiple: true, default: ['1000000', '10000000'] },
    rounds: { type: 'string', default: '20' },
    export: { type: 'string', default: '1000000' },
  },
})
const SIZE = { days: 90, users: 5000, channels: 2000 }
const MAX_MS = 300
const DAY = 86_400
const sizes = values.rows.map(Number)
const table = new Map<string, number[]>()
const summaries: string[] = []
const failures: string[] = []

for (const rows of sizes) {
  console.log(`${millions(rows)} rows: filling`)
  const siteWithLogs = await openSiteWithLogs({ ...SIZE, rows }, (line) => console.log(`  ${line}`))
  try {
    const now = Math.floor(Date.now() / 1000)
    const queries = queriesAt(now)
    await runQueries({ administrator: siteWithLogs.administrator, user: siteWithLogs.user }, queries, 2) // warm-up
    const times = await runQueries(
      { administrator: siteWithLogs.administrator, user: siteWithLogs.user },
      queries,
      Number(values.rounds),
    )
    const p95s = times.map((some) => quantile(some, 0.95))
    queries.forEach(({ name, who }, index) => {
      const key = `${who} ${name}`
      table.set(key, [...(table.get(key) ?? []), p95s[index]!])
      if (p95s[index]! > MAX_MS) failures.push(`${key} at ${millions(rows)} rows: p95 ${ms(p95s[index]!)}`)
    })

    const exported = await exportLogs(
      siteWithLogs.administrator,
      siteWithLogs.memory,
      Math.min(Number(values.export), rows - 1),
    )
    if (exported.firstByteMs > 1000) failures.push(`the first byte of an export came after ${ms(exported.firstByteMs)}`)
    if (exported.grownMegabytes > 10) failures.push(`an export made the server grow by ${exported.grownMegabytes} MB`)
    const removal = await removeUnderTraffic(
      siteWithLogs.server,
      siteWithLogs.administrator,
      now - (SIZE.days / 2) * DAY,
    )
    const shift = removal.busyP99 / removal.quietP99 - 1
    if (shift > 0.1) failures.push(`removing rows moved the p99 of calls by ${Math.round(shift * 100)} %`)
    summaries.push(
      `${millions(rows)} rows: worst p95 ${ms(Math.max(...p95s))}, median p95 ${ms(quantile(p95s, 0.5))}; ` +
        `${exported.rows} rows exported in ${exported.seconds.toFixed(1)} s, first byte ${ms(exported.firstByteMs)}, ` +
        `living memory ${exported.grownMegabytes >= 0 ? '+' : ''}${exported.grownMegabytes.toFixed(1)} MB from its first tenth to its last; ${removal.removed} rows removed in ` +
        `${removal.seconds.toFixed(1)} s, p99 of calls ${ms(removal.quietP99)} → ${ms(removal.busyP99)}`,
    )
    console.log(summaries.at(-1))
  } finally {
    await siteWithLogs.close()
  }
}

console.log(`\n| p95 in ms | ${sizes.map((rows) => `${millions(rows)} rows`).join(' | ')} |`)
console.log(`|---|${sizes.map(() => '---:|').join('')}`)
for (const [name, p95s] of table) console.log(`| ${name} | ${p95s.map((p95) => Math.round(p95)).join(' | ')} |`)
console.log()
for (const failure of failures) console.error(failure)
console.log(`proof logs ${failures.length > 0 ? 'fails' : 'holds'}: ${summaries.join('; ')}`)
process.exitCode = failures.length > 0 ? 1 : 0

function ms(milliseconds: number): string {
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
}

function millions(rows: number): string {
  return `${rows / 1_000_000}M`
}
