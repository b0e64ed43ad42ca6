import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, open, readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeDirectory, tcpProxy, throwAwayDirectory } from '@tidegate/testing'
import { asPostgres, directoryOfPostgres, freePort, newestBinaries, runProgram } from '../private-services.ts'
import { until } from '../until.ts'

/** One PostgreSQL server and the Patroni process that supervises it. */
export interface PatroniNode {
  readonly name: string
  readonly port: number
  /** Kills PostgreSQL and Patroni, as a power failure does. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Stops all processes of the node where they are, as when a virtual machine is suspended. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Cuts the connection to etcd, so that it cannot renew its claim to be the primary. */
  isolate(): void
  reconnect(): void
}

/** Three nodes with synchronous replication behind HAProxy, which leads to the primary. */
export interface PatroniCluster {
  /** The address of HAProxy. */
  readonly url: string
  /** The addresses of the nodes, separated by commas. */
  readonly hosts: string
  /** The node that takes writes; rejects if there is none within a minute. */
  primary(except?: PatroniNode): Promise<PatroniNode>
  /** Resolves when every node follows, and one of them synchronously. */
  complete(): Promise<void>
  /** Makes another node the primary in an orderly way. */
  switchOver(): Promise<void>
  remove(): Promise<void>
}

const NODES = ['tide-1', 'tide-2', 'tide-3']
const SCOPE = 'tidegate'
const START_LIMIT_MS = 120_000
const PRIMARY_LIMIT_MS = 60_000
const LOG_LINES = 40
const FAST_FAILOVER = { ttl: 10, loop_wait: 2, retry_timeout: 3 }

interface Member extends PatroniNode {
  readonly api: number
  /** The last lines that Patroni and PostgreSQL wrote. */
  recentLog(): Promise<string>
  remove(): Promise<void>
}

export async function patroniCluster(): Promise<PatroniCluster> {
  const processes: ChildProcess[] = []
  const directory = await throwAwayDirectory()
  const etcd = await startEtcd(directory, processes)
  const members: Member[] = []
  const remove = async () => {
    for (const member of members) await member.remove()
    for (const child of processes) child.kill('SIGKILL')
    await removeDirectory(directory)
  }
  try {
    for (const name of NODES) members.push(await createNode(name, etcd))
    await members[0]!.start() // alone, so that the others are copies of it
    await findPrimary(members, START_LIMIT_MS)
    for (const member of members.slice(1)) await member.start()
    const port = await startBalancer(directory, members, processes)
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    const cluster: PatroniCluster = {
      url,
      hosts: members.map((member) => `127.0.0.1:${member.port}`).join(','),
      primary: (except) => findPrimary(members, PRIMARY_LIMIT_MS, except),
      complete: () => awaitComplete(members),
      switchOver: () => switchOver(members),
      remove,
    }
    await cluster.complete()
    if (!(await until(() => responds(port), START_LIMIT_MS))) throw new Error('HAProxy does not lead to the primary')
    return cluster
  } catch (error) {
    await remove()
    throw error
  }
}

async function startEtcd(directory: string, processes: ChildProcess[]): Promise<number> {
  const [client, peer] = [await freePort(), await freePort()]
  const at = (port: number) => `http://127.0.0.1:${port}`
  const options = {
    'data-dir': join(directory, 'etcd'),
    'listen-client-urls': at(client),
    'advertise-client-urls': at(client),
    'listen-peer-urls': at(peer),
    'initial-advertise-peer-urls': at(peer),
    'initial-cluster': `default=${at(peer)}`,
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  processes.push(spawn('etcd', [...args, '--enable-v2', '--unsafe-no-fsync'], { stdio: 'ignore' }))
  if (!(await until(() => isOk(`${at(client)}/health`), START_LIMIT_MS))) throw new Error('etcd did not start')
  return client
}

async function createNode(name: string, etcd: number): Promise<Member> {
  const [port, api, bin, directory, link] = await Promise.all([
    freePort(),
    freePort(),
    newestBinaries(),
    directoryOfPostgres(),
    tcpProxy(etcd),
  ])
  const data = join(directory, 'data')
  const config = join(directory, 'patroni.json') // YAML contains JSON
  const log = join(directory, 'patroni.log')
  const user = { username: 'postgres', password: 'postgres' } // initdb needs one
  await writeFile(
    config,
    JSON.stringify({
      scope: SCOPE,
      name,
      restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
      // Not etcd3: Patroni 3.0 overwrites the leader key there after a freeze, and continues with an outdated cache.
      etcd: { host: `127.0.0.1:${link.port}`, use_proxies: true },
      bootstrap: {
        dcs: {
          ...FAST_FAILOVER,
          maximum_lag_on_failover: 0,
          synchronous_mode: true,
          synchronous_mode_strict: true,
          postgresql: { use_pg_rewind: true, parameters: { wal_log_hints: 'on', max_connections: 100 } },
        },
        initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
      },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: data,
        bin_dir: bin,
        pgpass: join(directory, 'pgpass'),
        authentication: { superuser: user, replication: user, rewind: user },
        parameters: { unix_socket_directories: directory },
        pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
    }),
  )
  await chown(config, ...(await ownerOf(directory)))
  let patroni: ChildProcess | undefined
  const signalAll = async (signal: NodeJS.Signals) => {
    for (const pid of await processesOf(directory)) {
      try {
        process.kill(pid, signal)
      } catch {} // it has ended meanwhile
    }
  }
  const node: Member = {
    name,
    port,
    api,
    async kill() {
      await signalAll('SIGKILL')
      if (patroni?.exitCode === null && patroni.signalCode === null) await once(patroni, 'exit')
    },
    async start() {
      await using output = await open(log, 'a')
      const stdio = ['ignore', output.fd, output.fd] as const
      patroni = spawn('runuser', ['-u', 'postgres', '--', 'patroni', config], { stdio: [...stdio], cwd: '/' })
      if (!(await until(() => isOk(`http://127.0.0.1:${api}/liveness`), START_LIMIT_MS))) {
        throw new Error(`${name} did not start`)
      }
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    isolate: () => link.stall(),
    reconnect: () => link.resume(),
    async recentLog() {
      const lines = (await readFile(log, 'utf8').catch(() => '')).split('\n')
      // Without the tracebacks of health checks that HAProxy gave up.
      return lines
        .filter((line) => /^\d{4}-/.test(line))
        .slice(-LOG_LINES)
        .join('\n')
    },
    async remove() {
      await signalAll('SIGKILL')
      await link.close()
      await asPostgres('rm', '-rf', data)
      await removeDirectory(directory)
    },
  }
  return node
}

async function ownerOf(directory: string): Promise<[number, number]> {
  const [user, group] = (await runProgram('stat', '-c', '%u %g', directory)).split(' ')
  return [Number(user), Number(group)]
}

/** Patroni with its configuration, PostgreSQL with its data: every process whose working directory or arguments name it. */
async function processesOf(directory: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number)
  const found = await Promise.all(pids.map(async (pid) => ((await belongsTo(pid, directory)) ? [pid] : [])))
  return found.flat()
}

async function belongsTo(pid: number, directory: string): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  if (command.includes(directory)) return true
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '')
  return cwd.startsWith(directory)
}

async function startBalancer(
  directory: string,
  members: readonly Member[],
  processes: ChildProcess[],
): Promise<number> {
  const port = await freePort()
  const config = join(directory, 'haproxy.cfg')
  const servers = members.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.api}`)
  await writeFile(
    config,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
  )
  processes.push(spawn('haproxy', ['-f', config, '-db'], { stdio: 'ignore' }))
  return port
}

async function responds(port: number): Promise<boolean> {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  return runProgram('psql', '-X', '-c', 'select 1', url).then(
    () => true,
    () => false,
  )
}

async function isOk(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function findPrimary(members: readonly Member[], withinMs: number, except?: PatroniNode): Promise<Member> {
  let found: Member | undefined
  await until(async () => {
    const roles = await Promise.all(members.map((node) => isOk(`http://127.0.0.1:${node.api}/primary`)))
    found = members.find((node, index) => roles[index] && node.name !== except?.name)
    return found !== undefined
  }, withinMs)
  if (!found) throw new Error(`no primary${except ? ` besides ${except.name}` : ''} within ${withinMs / 1000} s`)
  return found
}

interface ClusterState {
  members: { name: string; role: string; state: string }[]
}

async function awaitComplete(members: readonly Member[]): Promise<void> {
  let last: unknown
  const isComplete = await until(async () => {
    const { api } = await findPrimary(members, PRIMARY_LIMIT_MS)
    const response = await fetch(`http://127.0.0.1:${api}/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => undefined,
    )
    if (!response) return false
    const { members: states } = (await response.json()) as ClusterState
    last = states
    return (
      states.length === members.length &&
      states.every(({ role, state }) => role === 'leader' || ['running', 'streaming'].includes(state)) &&
      states.some(({ role }) => role === 'sync_standby')
    )
  }, START_LIMIT_MS)
  if (isComplete) return
  const logs = await Promise.all(members.map(async (node) => `${node.name}:\n${await node.recentLog()}`))
  throw new Error([`the cluster stays incomplete: ${JSON.stringify(last)}`, ...logs].join('\n\n'))
}

async function switchOver(members: readonly Member[]): Promise<void> {
  const { api, name } = await findPrimary(members, PRIMARY_LIMIT_MS)
  const response = await fetch(`http://127.0.0.1:${api}/switchover`, {
    method: 'POST',
    body: JSON.stringify({ leader: name }),
  })
  if (!response.ok) throw new Error(`switchover: ${response.status} ${await response.text()}`)
}
