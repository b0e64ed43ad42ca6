import { access, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { NATIVE, OUT, outFolder } from '../harness/paths.ts'
import { runCommand } from '../harness/run-command.ts'
import { freePort, startProcess, type StartedProcess } from '../harness/start-process.ts'

/** Installed beside the benchmarks on first use. It is not one of our dependencies. */
const PORTKEY = '@portkey-ai/gateway@1.15.2'

interface PeerOptions {
  readonly upstreamPort: number
  readonly cores: string
}

export type StartPeer = (options: PeerOptions) => Promise<StartedProcess & { headers?: readonly string[] }>

/** Each only forwards a request. A peer that cannot be started on this machine throws. */
export const PEERS: Record<'nginx' | 'undici' | 'fastify' | 'go' | 'portkey', StartPeer> = {
  async nginx({ upstreamPort, cores }) {
    const folder = await outFolder('nginx')
    const port = await freePort()
    await writeFile(`${folder}nginx.conf`, nginxConfiguration(folder, port, upstreamPort))
    const args = ['-p', folder, '-e', `${folder}error.log`, '-c', `${folder}nginx.conf`]
    return await startProcess({ name: 'nginx', program: 'nginx', args, port, cores })
  },
  undici: (options) => startRelay('undici', '../relays/bare.ts', options),
  fastify: (options) => startRelay('fastify', '../relays/fastify.ts', options),
  async go({ upstreamPort, cores }) {
    const program = `${OUT}reverse-proxy`
    const env = { ...process.env, GOCACHE: await outFolder('go-cache'), GO111MODULE: 'off' }
    await runCommand('go', ['build', '-o', program, `${NATIVE}reverse-proxy.go`], { env })
    const port = await freePort()
    return await startProcess({ name: 'go', program, args: [], port, cores, env: relayVariables(port, upstreamPort) })
  },
  async portkey({ upstreamPort, cores }) {
    const folder = await outFolder('peers')
    const program = `${folder}node_modules/@portkey-ai/gateway/build/start-server.js`
    const isThere = await access(program).then(
      () => true,
      () => false,
    )
    if (!isThere) await install(folder)
    const port = await freePort()
    const started = await startProcess({
      name: 'portkey',
      program: process.execPath,
      args: [program, '--headless', `--port=${port}`],
      port,
      cores,
      env: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
    })
    const host = `x-portkey-custom-host: http://127.0.0.1:${upstreamPort}/v1`
    return { ...started, headers: ['x-portkey-provider: openai', host] }
  },
}

async function startRelay(name: string, file: string, { upstreamPort, cores }: PeerOptions): Promise<StartedProcess> {
  const port = await freePort()
  const args = [fileURLToPath(new URL(file, import.meta.url))]
  const env = { NODE_ENV: 'production', ...relayVariables(port, upstreamPort) }
  return await startProcess({ name, program: process.execPath, args, port, cores, env })
}

function relayVariables(port: number, upstreamPort: number): Record<string, string> {
  return { PORT: String(port), UPSTREAM: `http://127.0.0.1:${upstreamPort}` }
}

async function install(folder: string): Promise<void> {
  console.error(`installing ${PORTKEY} …`)
  await writeFile(`${folder}package.json`, '{ "private": true }\n')
  await runCommand('npm', ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', PORTKEY], {
    cwd: folder,
  })
}

/** One worker, keep-alive connections to the upstream, no response buffering. */
function nginxConfiguration(folder: string, port: number, upstreamPort: number): string {
  const forever = 'keepalive_requests 100000000; keepalive_timeout 300s;'
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}${kind};`)
    .join(' ')
  return `
    worker_processes 1; worker_rlimit_nofile 20000; daemon off; pid ${folder}pid; error_log ${folder}error.log warn;
    events { worker_connections 19000; }
    http {
      access_log off; client_body_buffer_size 64k; ${temporary} ${forever} tcp_nodelay on;
      upstream mock { server 127.0.0.1:${upstreamPort}; keepalive 2048; ${forever} }
      server {
        listen 127.0.0.1:${port} backlog=4096;
        client_max_body_size 16m;
        location / {
          proxy_pass http://mock; proxy_http_version 1.1; proxy_set_header Connection "";
          proxy_buffering off; proxy_read_timeout 300s;
        }
      }
    }
`
}
