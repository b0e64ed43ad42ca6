import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { removeDirectory, throwAwayDirectory } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { schemaProblems } from './deploy-files/kubernetes-schema.ts'
import {
  buildRenderer,
  type IngressSpec,
  type Labels,
  type Manifest,
  type NetworkPolicy,
  RELEASE,
  renderChart,
  REQUIRED_VALUES,
  type Workload,
} from './deploy-files/manifests.ts'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
const CHART = `${REPOSITORY}deploy/helm/tidegate`
const BEHIND_THE_DRAIN_SECONDS = 15

const EVERYTHING_ON = {
  image: { tag: '0.1.0', pullSecrets: [{ name: 'registry' }] },
  settings: { TIDEGATE_LOG_LEVEL: 'warn' },
  clickhouse: { enabled: true },
  journal: { storageClass: 'fast' },
  gateway: { autoscaling: { openRequests: 400 } },
  control: { autoscaling: { enabled: true } },
  networkPolicy: {
    extraEgress: [{ to: [{ ipBlock: { cidr: '10.9.0.0/16' } }], ports: [{ protocol: 'TCP', port: 4318 }] }],
  },
}
const EVERYTHING_OFF = {
  gateway: { processes: 0, autoscaling: { enabled: false } },
  migration: { enabled: false },
  ingress: { enabled: false },
  networkPolicy: { enabled: false, mailPorts: [] },
}

let folder: string
let renderer: string
/** With the default values and those that every site needs. */
let all: Manifest[]
beforeAll(async () => {
  folder = await throwAwayDirectory()
  renderer = await buildRenderer(folder)
  all = await renderChart(renderer, CHART, REQUIRED_VALUES)
})
afterAll(() => removeDirectory(folder))

const ofKind = (kind: string, manifests = all) => manifests.filter((manifest) => manifest.kind === kind)
const workloads = () => [...ofKind('StatefulSet'), ...ofKind('Deployment')] as unknown as Workload[]
const selected = (labels: Labels) =>
  workloads().filter(({ spec }) =>
    Object.entries(labels).every(([name, value]) => spec.template.metadata.labels[name] === value),
  )

describe('the Helm chart', () => {
  it('has the version of the product', async () => {
    const { version } = JSON.parse(await readFile(`${REPOSITORY}package.json`, 'utf8')) as { version: string }
    const chart = parse(await readFile(`${CHART}/Chart.yaml`, 'utf8')) as Record<string, string>

    expect([chart.version, chart.appVersion]).toEqual([version, version])
    expect(existsSync(`${CHART}/templates/_helpers.tpl`)).toBe(true)
  })

  it.each([
    ['the required values', {}],
    ['everything on', EVERYTHING_ON],
    ['everything off', EVERYTHING_OFF],
  ])('fits the schemas of Kubernetes with %s', async (_name, values) => {
    const manifests = await renderChart(renderer, CHART, merge(REQUIRED_VALUES, values))

    expect(manifests.length).toBeGreaterThan(8)
    expect((await Promise.all(manifests.map(schemaProblems))).flat()).toEqual([])
  })

  it('names missing values', async () => {
    await expect(renderChart(renderer, CHART, {})).rejects.toThrow(/Set (image|ingress)\./)
  })

  it('starts each role, probes existing paths and leaves time for the drain', () => {
    const settings = ofKind('ConfigMap')[0]!.data!

    expect(workloads().map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      `StatefulSet ${RELEASE}-gateway`,
      `StatefulSet ${RELEASE}-worker`,
      `Deployment ${RELEASE}-control`,
    ])
    for (const { metadata, spec } of workloads()) {
      expect(spec.template.metadata.labels, metadata.name).toMatchObject(spec.selector.matchLabels)
      const { terminationGracePeriodSeconds, securityContext, containers } = spec.template.spec
      const [container] = containers
      expect(`${RELEASE}-${container!.args.at(-1)}`).toBe(metadata.name)
      expect(container!.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'http' })
      expect(container!.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' })
      expect(container!.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' })
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 })
      expect(container!.securityContext).toMatchObject({ readOnlyRootFilesystem: true })
      const drain = Number(settings.TIDEGATE_DRAIN_SECONDS)
      expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + BEHIND_THE_DRAIN_SECONDS)
    }
  })

  it('keeps the journal of a gateway and of a worker with its name', () => {
    for (const { metadata, spec } of workloads().filter(({ kind }) => kind === 'StatefulSet')) {
      expect(spec.volumeClaimTemplates?.[0]?.metadata.name, metadata.name).toBe('journal')
      expect(spec.template.spec.containers[0]!.volumeMounts).toContainEqual({
        name: 'journal',
        mountPath: '/var/lib/tidegate',
      })
    }
  })

  it('scales gateways on CPU and open requests, and stops one at a time', async () => {
    const values = merge(REQUIRED_VALUES, { gateway: { autoscaling: { openRequests: 400 } } })
    const [scaler] = ofKind('HorizontalPodAutoscaler', await renderChart(renderer, CHART, values))
    const { scaleTargetRef, metrics, behavior } = scaler!.spec as {
      scaleTargetRef: object
      metrics: { type: string; pods?: { metric: { name: string }; target: object } }[]
      behavior: { scaleDown: { policies: object[] } }
    }

    expect(scaleTargetRef).toMatchObject({ kind: 'StatefulSet', name: `${RELEASE}-gateway` })
    expect(metrics.map(({ type }) => type)).toEqual(['Resource', 'Pods'])
    expect(metrics[1]!.pods).toEqual({
      metric: { name: 'tidegate_open_calls' },
      target: { type: 'AverageValue', averageValue: '400' },
    })
    expect(behavior.scaleDown.policies).toEqual([{ type: 'Pods', value: 1, periodSeconds: 300 }])
    const gateway = workloads().find(({ metadata }) => metadata.name.endsWith('gateway'))!
    expect(gateway.spec, 'the autoscaler sets the number of pods').not.toHaveProperty('replicas')
  })

  it('migrates before pods start, and only then', () => {
    const [job] = ofKind('Job') as (Manifest & { metadata: { annotations: Labels } })[]
    const { template } = job!.spec as Workload['spec']

    expect(job!.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade')
    expect(template.spec.containers[0]!.args).toEqual(['migrate'])
    expect(ofKind('ConfigMap')[0]!.data!.TIDEGATE_MIGRATE).toBe('off')
  })

  it('points services, budgets and the ingress to existing pods', () => {
    const services = ofKind('Service').filter(({ metadata }) => metadata.name !== `${RELEASE}-closed`)

    for (const { metadata, spec } of services) {
      expect(selected((spec as { selector: Labels }).selector), metadata.name).toHaveLength(1)
    }
    const budgets = ofKind('PodDisruptionBudget')
    expect(budgets).toHaveLength(3)
    for (const { metadata, spec } of budgets) {
      expect(selected((spec as Workload['spec']).selector.matchLabels), metadata.name).toHaveLength(1)
    }
    const targets = JSON.stringify(ofKind('Ingress')[0]!.spec).matchAll(/"service":\{"name":"([\w-]+)"/g)
    expect(new Set([...targets].map(([, name]) => name))).toEqual(
      new Set(['gateway', 'control', 'closed'].map((name) => `${RELEASE}-${name}`)),
    )
  })

  it('hides metrics from the outside and trusts few addresses', () => {
    const { rules } = ofKind('Ingress')[0]!.spec as IngressSpec
    const metrics = rules[0]!.http.paths.find(({ path }) => path === '/metrics')

    expect(metrics).toMatchObject({ pathType: 'Prefix', backend: { service: { name: `${RELEASE}-closed` } } })
    const closed = ofKind('Service').find(({ metadata }) => metadata.name === `${RELEASE}-closed`)!
    expect(closed.spec).not.toHaveProperty('selector')
    expect(ofKind('ConfigMap')[0]!.data!.TIDEGATE_TRUSTED_PROXIES).toBe('10.244.0.0/24')
  })

  it('denies traffic to and from pods by default', () => {
    const [base, ...others] = ofKind('NetworkPolicy') as unknown as NetworkPolicy[]

    expect(base!.spec).toMatchObject({ policyTypes: ['Ingress', 'Egress'] })
    for (const { metadata, spec } of [base!, ...others]) {
      expect(spec.podSelector.matchLabels, metadata.name).toEqual({
        'app.kubernetes.io/name': 'tidegate',
        'app.kubernetes.io/instance': RELEASE,
      })
      for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) {
        expect(rule.ports, metadata.name).not.toEqual([])
      }
      for (const { from } of spec.ingress ?? []) expect(from, metadata.name).toHaveLength(1)
    }
    const egress = base!.spec.egress!
    const portsTo = (cidr: string) =>
      egress
        .filter(({ to }) => to?.some(({ ipBlock }) => ipBlock?.cidr === cidr))
        .flatMap(({ ports }) => ports.map(({ port }) => port))
    expect(portsTo('0.0.0.0/0')).toEqual([443])
    expect(portsTo('10.0.0.0/8')).toEqual([5432, 6379])
    const open = egress.flatMap(({ to }) => to ?? []).find(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0')
    expect(open!.ipBlock!.except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '127.0.0.0/8']))
  })
})

it('opens the port of ClickHouse and bounds its outbox only if it is enabled', async () => {
  const clickhouse = { enabled: true, port: 8443, outboxMegabytes: 512, whenFull: 'reject' }
  const enabled = await renderChart(renderer, CHART, { ...REQUIRED_VALUES, clickhouse })
  const settingsOf = (manifests: Manifest[]) =>
    ofKind('ConfigMap', manifests).map((manifest) => (manifest as unknown as { data: object }).data)[0]
  const portsOf = (manifests: Manifest[]) =>
    (ofKind('NetworkPolicy', manifests) as unknown as NetworkPolicy[])[0]!.spec.egress!.flatMap(({ ports }) =>
      ports.map(({ port }) => port),
    )

  expect(settingsOf(enabled)).toMatchObject({ TIDEGATE_LOG_OUTBOX_MB: '512', TIDEGATE_LOG_OUTBOX_FULL: 'reject' })
  expect(portsOf(enabled)).toContain(8443)
  expect(settingsOf(all)).not.toHaveProperty('TIDEGATE_LOG_OUTBOX_MB')
  expect(portsOf(all)).not.toContain(8123)
})

it('finds mistakes with the schemas of Kubernetes', async () => {
  const manifest = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'gateway', lables: {} },
    spec: { maxUnavailable: 1, selector: 'gateway' },
  }

  expect(await schemaProblems(manifest)).toEqual([
    'PodDisruptionBudget gateway: /spec/selector type {"type":"object"}',
    'PodDisruptionBudget gateway: /metadata/lables is not in the schema',
  ])
})

type Values = Record<string, unknown>

function merge(base: Values, other: Values): Values {
  const merged = { ...base }
  for (const [name, value] of Object.entries(other)) {
    const below = merged[name]
    const isMap = (some: unknown): some is Values => typeof some === 'object' && some !== null && !Array.isArray(some)
    merged[name] = isMap(below) && isMap(value) ? merge(below, value) : value
  }
  return merged
}
