import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * `npm run check`: runs the static checks beside the unit tests that a change affects, one lane per core. A change is
 * what is not committed; `npm run check -- <commit>` includes the commits since that one. Exits with 1 if a check
 * fails.
 */
const [since] = process.argv.slice(2)
const STATIC_CHECKS = ['format:check', 'lint', 'deps', 'types', 'docs:check'].map((script) => [script])
const AFFECTED_TESTS = [['test:unit', '--', '--changed', ...(since === undefined ? [] : [since])]]

const results = (await Promise.all([STATIC_CHECKS, AFFECTED_TESTS].map(runLane))).flat()
const failed = results.filter(({ passed }) => !passed)
for (const { script, output } of failed) console.log(`\n── ${script}\n${output}`)
console.log(failed.length === 0 ? 'all checks passed' : `failed: ${failed.map(({ script }) => script).join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

interface Result {
  script: string
  passed: boolean
  output: string
}

async function runLane(scripts: readonly string[][]): Promise<Result[]> {
  const finished: Result[] = []
  for (const [script = '', ...options] of scripts) {
    const startedAt = performance.now()
    const result = await run(script, options)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
    console.log(`${script}: ${result.passed ? 'ok' : 'failed'}, ${seconds} s`)
    finished.push(result)
  }
  return finished
}

async function run(script: string, options: readonly string[]): Promise<Result> {
  const child = spawn('npm', ['run', '-s', script, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { script, passed: code === 0, output }
}
