import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../until.ts'

export interface Nginx {
  readonly url: string
  stop(): Promise<void>
}

const START_LIMIT_MS = 10_000

/** An nginx in front of a server, with its defaults and the given lines in its `location`. */
export function startNginx(target: string, lines: readonly string[] = []): Promise<Nginx> {
  return startNginxWith((port) => serverFor({ port, target, lines }))
}

/** An nginx with the given `http` section, which listens at the port. */
export async function startNginxWith(httpAt: (port: number) => string): Promise<Nginx> {
  const directory = await mkdtemp(join(tmpdir(), 'tidegate-nginx-'))
  const port = await freePort()
  const file = join(directory, 'nginx.conf')
  await writeFile(file, configuration(directory, httpAt(port)))
  const child = spawn('nginx', ['-p', directory, '-c', file], { stdio: 'inherit' })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(directory, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  if (!(await until(() => isResponding(url), START_LIMIT_MS))) {
    await stop()
    throw new Error('nginx did not start')
  }
  return { url, stop }
}

function configuration(directory: string, http: string): string {
  return `
    daemon off; master_process off; pid ${directory}/pid; error_log stderr crit;
    events {}
    http {
      access_log off;
      client_body_temp_path ${directory}; proxy_temp_path ${directory}; fastcgi_temp_path ${directory};
      uwsgi_temp_path ${directory}; scgi_temp_path ${directory};
      ${http}
    }`
}

interface Layout {
  port: number
  target: string
  lines: readonly string[]
}

function serverFor({ port, target, lines }: Layout): string {
  return `
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass ${target};
          ${lines.map((line) => `${line};`).join('\n          ')}
        }
      }`
}

function isResponding(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  )
}

/** A free port of the loopback address. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
