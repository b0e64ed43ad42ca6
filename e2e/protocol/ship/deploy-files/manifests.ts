import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'

export type Labels = Record<string, string>

interface Probe {
  httpGet: { path: string; port: string }
}

export interface Container {
  args: string[]
  ports: { name: string; containerPort: number }[]
  startupProbe: Probe
  livenessProbe: Probe
  readinessProbe: Probe
  securityContext: Record<string, unknown>
  volumeMounts?: { name: string; mountPath: string }[]
}

export interface Workload {
  kind: 'StatefulSet' | 'Deployment'
  metadata: { name: string }
  spec: {
    serviceName?: string
    selector: { matchLabels: Labels }
    volumeClaimTemplates?: { metadata: { name: string } }[]
    template: {
      metadata: { labels: Labels }
      spec: { terminationGracePeriodSeconds: number; securityContext: Record<string, unknown>; containers: Container[] }
    }
  }
}

export interface IngressSpec {
  rules: { http: { paths: { path: string; pathType: string; backend: unknown }[] } }[]
}

interface PolicyPeer {
  ipBlock?: { cidr: string; except?: string[] }
}

interface PolicyPorts {
  ports: { protocol: string; port: number | string }[]
}

export interface NetworkPolicy {
  metadata: { name: string }
  spec: {
    podSelector: { matchLabels?: Labels }
    ingress?: (PolicyPorts & { from: PolicyPeer[] })[]
    egress?: (PolicyPorts & { to?: PolicyPeer[] })[]
  }
}

export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  spec?: unknown
}

export const RELEASE = 'site'
/** What an operator must enter. */
export const REQUIRED_VALUES = {
  image: { repository: 'registry.example.com/tidegate' },
  ingress: { host: 'ai.example.com', controller: { addresses: '10.244.0.0/24' } },
}

/** Builds the renderer into a folder, with the Go packages of Debian. */
export async function buildRenderer(folder: string): Promise<string> {
  const program = join(folder, 'render-chart')
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' }
  await promisify(execFile)('go', ['build', '-o', program, join(import.meta.dirname, 'render-chart.go')], { env })
  return program
}

/** Every object of a chart. Throws what the renderer reports. */
export async function renderChart(renderer: string, chart: string, values: object): Promise<Manifest[]> {
  const child = spawn(renderer, [chart, RELEASE], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(JSON.stringify(values))
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new Error(errors)
  return parseAllDocuments(output).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0]!
    return (document.toJS() as Manifest | null) ?? []
  })
}
