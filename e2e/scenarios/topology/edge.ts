import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../streams/nginx.ts'
import { until } from '../until.ts'

/** The template that containers use. */
export const EDGE_TEMPLATE = new URL('../../../deploy/nginx/nginx.conf.template', import.meta.url)

/** The variables of a site: `host:port` each, and an address range last. */
export interface EdgeVariables {
  EDGE_LISTEN: string
  EDGE_GATEWAY_1: string
  EDGE_GATEWAY_2: string
  EDGE_CONTROL: string
  EDGE_REAL_IP_FROM: string
}

export interface Edge {
  readonly url: string
  stop(): Promise<void>
}

const START_LIMIT_MS = 10_000

/** Fills in variables like the container: only those that are given. */
export async function edgeConfiguration(variables: EdgeVariables): Promise<string> {
  const template = await readFile(EDGE_TEMPLATE, 'utf8')
  return template.replaceAll(/\$\{(EDGE_\w+)\}/g, (_, name: keyof EdgeVariables) => {
    const value = variables[name]
    if (value === undefined) throw new Error(`nothing is given for ${name}`)
    return value
  })
}

/** Runs nginx with the shipped configuration in front of processes on this machine. */
export async function startEdge(places: { gateways: readonly [string, string]; control: string }): Promise<Edge> {
  const directory = await mkdtemp(join(tmpdir(), 'tidegate-edge-'))
  const listen = `127.0.0.1:${await freePort()}`
  const configuration = await edgeConfiguration({
    EDGE_LISTEN: listen,
    EDGE_GATEWAY_1: new URL(places.gateways[0]).host,
    EDGE_GATEWAY_2: new URL(places.gateways[1]).host,
    EDGE_CONTROL: new URL(places.control).host,
    EDGE_REAL_IP_FROM: '127.0.0.1/32',
  })
  await writeFile(join(directory, 'nginx.conf'), configuration)
  const child = spawn('nginx', ['-p', directory, '-c', 'nginx.conf', '-g', 'daemon off; master_process off;'], {
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(directory, { recursive: true, force: true })
  }
  const url = `http://${listen}`
  if (!(await until(() => isResponding(url), START_LIMIT_MS))) {
    await stop()
    throw new Error('nginx did not start')
  }
  return { url, stop }
}

function isResponding(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
}
