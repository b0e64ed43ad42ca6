import { glob, readFile } from 'node:fs/promises'
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
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  spec?: unknown
}

/** Every object of the manifests that `kustomization.yaml` lists. */
export async function readManifests(folder: string): Promise<Manifest[]> {
  const found: Manifest[] = []
  for await (const name of glob('*.yaml', { cwd: folder })) {
    const documents = parseAllDocuments(await readFile(`${folder}/${name}`, 'utf8'))
    for (const document of documents) {
      if (document.errors.length > 0) throw new Error(`${name}: ${document.errors[0]!.message}`)
      found.push(document.toJS() as Manifest)
    }
  }
  return found
}
