import { readdir, readFile, readlink } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { api } from '@tidegate/contract'
import { addChannel, addToken, apiClient, type ApiClient, type RunningServer, setUpSite } from '@tidegate/testing'
import { PROTOCOLS } from '../../scenarios/streams/protocols.ts'
import { openStream, type ReceivedStream } from '../../scenarios/streams/stream-client.ts'
import { startTimedUpstream } from '../../scenarios/streams/timed-upstream.ts'
import { freePort } from '../../scenarios/private-services.ts'
import { openSite, type Site } from '../../scenarios/site.ts'

export const FAMILY_METRICS_TOKEN = 'metrics-token-of-the-family'
export const GATEWAYS = 2
const ENVIRONMENT = {
  TIDEGATE_PROCESSES: String(GATEWAYS),
  REDIS_URL: '', // the supervisor counts rate limits
  TIDEGATE_METRICS_TOKEN: FAMILY_METRICS_TOKEN,
  TIDEGATE_LOG_CLIENT_ADDRESS: 'true',
}
/** By hand: `reuseport` runs all tests with gateways that open the port themselves. Needs the kernel setting. */
const LISTEN = process.env.FAMILY_LISTEN
const { chat } = PROTOCOLS

export interface FamilySite {
  readonly site: Site
  readonly client: ApiClient
  /** The key of an unlimited API token. */
  readonly key: string
  server: RunningServer
  start(env?: Record<string, string>): Promise<void>
  close(): Promise<void>
}

/** A site without Redis, with two gateways, and a process for control and worker. */
export async function openFamilySite(): Promise<FamilySite> {
  const upstream = await startTimedUpstream()
  const site = await openSite()
  const listen = LISTEN === undefined ? undefined : { TIDEGATE_LISTEN: LISTEN, PORT: String(await freePort()) }
  const start = (env: Record<string, string> = {}) => site.start({ env: { ...ENVIRONMENT, ...listen, ...env } })
  const server = await start()
  const client = apiClient(server.url)
  await setUpSite(client)
  await addChannel(client, upstream, { models: chat.model })
  for (const key of ['ModelRatio', 'CompletionRatio']) {
    await client.call(api.updateOption, { body: { key, value: JSON.stringify({ [chat.model]: 0.01 }) } })
  }
  const family: FamilySite = {
    site,
    client,
    key: (await addToken(client)).secret,
    server,
    start: async (env) => void (family.server = await start(env)),
    async close() {
      await family.server.stop()
      await site.close()
      await upstream.close()
    },
  }
  return family
}

/** Sends short streams from this many clients until it is stopped. */
export function keepStreaming({ server, key }: FamilySite, clients: number) {
  const { url } = server
  const received: ReceivedStream[] = []
  const stopping = new AbortController()
  const client = async () => {
    while (!stopping.signal.aborted) {
      const plan = { kind: 'tick', events: 4, everyMs: 500 } as const
      received.push(await openStream({ url, key, protocol: chat, plan }).ended)
    }
  }
  const all = Promise.all(Array.from({ length: clients }, client))
  return {
    received,
    async stop(): Promise<readonly ReceivedStream[]> {
      stopping.abort()
      await all
      return received
    },
  }
}

/** Sends this many short requests at once, each on its own connection. Returns the status of each, 0 if it was cut. */
export async function sendChats({ server, key }: FamilySite, count: number): Promise<number[]> {
  const plan = { kind: 'tick', events: 1, everyMs: 1 } as const
  const streams = Array.from({ length: count }, () => openStream({ url: server.url, key, protocol: chat, plan }).ended)
  return (await Promise.all(streams)).map(({ status, complete }) => (status === 200 && !complete ? 0 : status))
}

/** A stream that does not end. Resolves when it has begun. */
export async function openEndlessStream({ server, key }: FamilySite) {
  const plan = { kind: 'tick', everyMs: 100 } as const
  const stream = openStream({ url: server.url, key, protocol: chat, plan })
  await stream.begun
  return stream
}

const AT_ONCE = 4

/**
 * Opens connections with one request each, and returns what closes them. Few at once: a burst goes to the processes that the machine
 * runs first, so its share says nothing about a busy machine.
 */
export async function openConnections({ server, key }: FamilySite, count: number): Promise<() => void> {
  const agents = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const { hostname, port } = new URL(server.url)
  const open = (agent: Agent) =>
    new Promise<void>((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` }
      request({ hostname, port, path: '/v1/models', headers, agent }, (response) => {
        response.resume().once('end', resolve)
      })
        .once('error', reject)
        .end()
    })
  const waiting = agents.values()
  const openInTurn = async () => {
    for (const agent of waiting) await open(agent)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, openInTurn))
  return () => agents.forEach((agent) => agent.destroy())
}

/** The current process of each slot, from the log of the supervisor. */
export function processIds({ server }: FamilySite): ReadonlyMap<string, number> {
  const ready = server.logs.filter(({ event }) => event === 'supervisor.process_ready')
  return new Map(ready.map(({ slot, pid }) => [slot as string, pid as number]))
}

export function logged({ server }: FamilySite, event: string): number {
  return server.logs.filter((line) => line.event === event).length
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Connections of a process to the port of the site. */
export async function countConnections({ server }: FamilySite, pid: number): Promise<number> {
  const table = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
  const local = `0100007F:${server.port.toString(16).toUpperCase().padStart(4, '0')}`
  const inodes = new Set(
    table.filter(([, address, , state]) => address === local && state === '01').map((row) => row[9]),
  )
  const descriptors = await readdir(`/proc/${pid}/fd`)
  const links = await Promise.all(descriptors.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
  return links.filter((link) => inodes.has(/^socket:\[(\d+)\]$/.exec(link)?.[1])).length
}

/** The sum of a metric over its labels, from one scrape. */
export async function readMetric({ server }: FamilySite, name: string): Promise<number> {
  const headers = { authorization: `Bearer ${FAMILY_METRICS_TOKEN}` }
  const text = await (await fetch(`${server.url}/metrics`, { headers })).text()
  const samples = text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))
  return [...samples].reduce((sum, [, value]) => sum + Number(value), 0)
}
