import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

interface Proof {
  readonly file: string
  readonly shows: string
  /** On two idle cores. */
  readonly takes: string
}

/** Checks that take too long for every CI run. `e2e/scenarios/smoke.test.ts` has a short form of each. */
const PROOFS: Readonly<Record<string, Proof>> = {
  storm: {
    file: './storm.ts',
    shows: 'concurrent requests never overspend a balance, on one gateway and on three',
    takes: '1 min',
  },
  kill: {
    file: './kill.ts',
    shows: 'every completed request is settled once while gateway, PostgreSQL and Redis are killed',
    takes: '3 min',
  },
  faults: {
    file: './faults.ts',
    shows: 'twenty faults lose no settlement and the site recovers; --soak 30m looks for leaks instead',
    takes: '20 min',
  },
  batches: {
    file: './batches.ts',
    shows: 'every line of a batch is finished and charged once while its worker is killed',
    takes: '2 min',
  },
  outage: {
    file: './outage.ts',
    shows: 'known callers are served while PostgreSQL and Redis are away, and unknown keys get 503, not 401',
    takes: '6 min',
  },
  failover: {
    file: './failover.ts',
    shows:
      'the primary of three PostgreSQL nodes is killed, frozen, switched and cut off; needs patroni, etcd, haproxy',
    takes: '60 min',
  },
  streams: {
    file: './streams.ts',
    shows: 'delay, keep-alive, backpressure, oversized input and memory of streams',
    takes: '10 min',
  },
  limits: {
    file: './limits.ts',
    shows: 'three gateways share rate limits exactly, also while Redis is away or a gateway dies',
    takes: '2 min',
  },
  monitoring: {
    file: './monitoring.ts',
    shows: 'every alert fires on its condition, and idle dashboards show 0; needs prometheus, faketime',
    takes: '6 min',
  },
  topology: {
    file: './topology.ts',
    shows: 'a rolling upgrade and rollback behind the shipped nginx fail no request and lose no settlement',
    takes: '2 min',
  },
  credit: {
    file: './credit.ts',
    shows: 'concurrent claims on codes, check-ins, transfers and payments are credited exactly once',
    takes: '10 min',
  },
  attacks: {
    file: './attacks.ts',
    shows: 'access control, fuzzing, smuggling, brute force and other published attack classes fail',
    takes: '16 min',
  },
  rotation: {
    file: './rotation.ts',
    shows: 'the key of 100,000 stored secrets is replaced under load, also after a kill, without an error',
    takes: '2 min',
  },
  logs: {
    file: './logs.ts',
    shows: 'log queries, export and removal stay fast with 1 and 10 million rows',
    takes: '40 min',
  },
  sums: {
    file: './sums.ts',
    shows: 'size of usage sums and responses of dashboards at 10 million requests, before and after thinning',
    takes: '20 min',
  },
}

const [name, ...options] = process.argv.slice(2)
if (name === undefined || name === '--help') {
  console.log(usage())
} else if (name === '--all') {
  process.exitCode = await runAll()
} else if (Object.hasOwn(PROOFS, name)) {
  process.exitCode = await run(PROOFS[name]!, options)
} else {
  console.error(`Unknown proof: ${name}\n\n${usage()}`)
  process.exitCode = 2
}

async function runAll(): Promise<number> {
  const lines: string[] = []
  let failed = 0
  for (const [each, proof] of Object.entries(PROOFS)) {
    const startedAt = performance.now()
    const code = await run(proof, [])
    if (code !== 0) failed += 1
    lines.push(
      `${each.padEnd(10)} ${code === 0 ? 'holds' : 'FAILED'} ${Math.round((performance.now() - startedAt) / 1000)} s`,
    )
    console.log(lines.at(-1))
  }
  console.log(`\n${lines.join('\n')}`)
  return failed === 0 ? 0 : 1
}

/** In its own process: a proof may exit with open requests, or change the environment. */
async function run({ file }: Proof, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...args], { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

function usage(): string {
  const rows = Object.entries(PROOFS).map(
    ([each, { shows, takes }]) => `  ${each.padEnd(10)} ${shows} (about ${takes})`,
  )
  return [
    'Usage: npm run proof -- <name> [options]',
    '       npm run proof:all',
    '',
    'Proofs need the built product, PostgreSQL, Redis and nginx. The options are those of each proof.',
    '',
    ...rows,
  ].join('\n')
}
