import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { removeDirectory, type RunningServer, throwAwayDirectory } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PROMETHEUS_FILES, readAlerts, readPanelQueries } from '../../scenarios/monitoring/deploy-files.ts'
import { openSite, type Site } from '../../scenarios/site.ts'

const run = promisify(execFile)
const TOKEN = 'metrics-token-of-an-idle-site'

let site: Site
let server: RunningServer
let directory: string
/** What a site exports that never served a request. */
let metrics: string
beforeAll(async () => {
  site = await openSite()
  directory = await throwAwayDirectory()
  // With a log store that does not respond, which must not keep the site from serving.
  const TIDEGATE_LOG_STORE = 'clickhouse://127.0.0.1:9/tidegate'
  server = await site.start({ env: { TIDEGATE_METRICS_TOKEN: TOKEN, TIDEGATE_LOG_STORE } })
  metrics = await (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text()
})
afterAll(async () => {
  await server?.stop()
  await site?.close()
  await removeDirectory(directory)
})

it('has a valid Prometheus configuration', async () => {
  const text = await readFile(join(PROMETHEUS_FILES, 'prometheus.yaml'), 'utf8')
  await writeFile(join(directory, 'token'), TOKEN)
  const rules = join(PROMETHEUS_FILES, 'alerts.yaml')
  const here = text
    .replace('[alerts.yaml]', `[${rules}]`)
    .replace('/run/secrets/tidegate-metrics-token', `${directory}/token`)
  await writeFile(join(directory, 'prometheus.yaml'), here)

  const { stdout } = await run('promtool', ['check', 'config', join(directory, 'prometheus.yaml')])

  expect(stdout).toContain('is valid prometheus config file syntax')
  expect(stdout).toContain(`${(await readAlerts()).groups[0]!.rules.length} rules found`)
})

it('fires each alert on its condition only', async () => {
  const file = join(PROMETHEUS_FILES, 'alerts.test.yaml')
  const alerts = (await readAlerts()).groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
  const tested = (await readFile(file, 'utf8')).matchAll(/alertname="(\w+)"/g)

  expect(new Set([...tested].map(([, name]) => name))).toEqual(new Set(alerts))
  const { stdout } = await run('promtool', ['test', 'rules', file])
  expect(stdout).toContain('SUCCESS')
})

it('uses only metrics that the product exports', async () => {
  const known = new Set<string>()
  for (const [, name, kind] of metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    for (const part of kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) known.add(`${name}${part}`)
  }
  const namesIn = (expressions: readonly string[]) =>
    new Set(expressions.flatMap((text) => text.match(/\b(tidegate|process|nodejs)_\w+/g) ?? []))
  const rules = (await readAlerts()).groups.flatMap((group) => group.rules)

  for (const names of [
    namesIn(rules.map(({ expr }) => expr)),
    namesIn((await readPanelQueries('1m')).map(({ expr }) => expr)),
  ]) {
    expect(names.size).toBeGreaterThan(10)
    expect([...names].filter((name) => !known.has(name))).toEqual([])
  }
})

it('shows a number on every panel of the dashboard before the first request', async () => {
  const series = [...metrics.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels = '', value]) => ({
    series: `${name}{${[labels, 'job="tidegate", instance="all:3000"'].filter(Boolean).join(', ')}}`,
    values: `${value}x8`,
  }))
  const queries = await readPanelQueries('1m')
  const number = ({ expr }: { expr: string }) => `count((${expr}) > -Inf) > bool 0`
  const test = {
    interval: '15s',
    input_series: series,
    promql_expr_test: queries.map((query) => ({
      expr: number(query),
      eval_time: '2m',
      exp_samples: [{ labels: '{}', value: 1 }],
    })),
  }
  await writeFile(join(directory, 'panels.json'), JSON.stringify({ tests: [test] }))

  const { stdout, stderr } = await run('promtool', ['test', 'rules', join(directory, 'panels.json')]).catch(
    (error: { stdout: string; stderr: string }) => error,
  )

  expect(queries.length).toBeGreaterThan(20)
  expect(queries.filter((query) => stderr.includes(JSON.stringify(number(query)))).map(({ panel }) => panel)).toEqual(
    [],
  )
  expect(stdout).toContain('SUCCESS')
})
