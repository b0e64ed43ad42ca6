import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseEnvironment } from '../environment.ts'
import { createLogger } from '../observability/logging.ts'
import { checkPort, checkReusePort, start } from './start.ts'

it('reports a port in use before it creates the data directory', async () => {
  await using server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const dataDirectory = join(tmpdir(), `tidegate-port-${process.pid}`)
  const environment = parseEnvironment({ PORT: String(port), HOST: '127.0.0.1', TIDEGATE_DATA_DIR: dataDirectory })

  const started = start(environment, createLogger('silent'), {})

  await expect(started).rejects.toMatchObject({ code: 'EADDRINUSE', syscall: 'listen' })
  expect(existsSync(dataDirectory)).toBe(false)
})

it('leaves a free port free', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')

  await checkPort({ PORT: port, HOST: '127.0.0.1' })
  await checkPort({ PORT: port, HOST: '127.0.0.1' })
})

describe('a port that gateways open themselves', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reuse-port-'))
    await writeFile(join(folder, 'on'), '1\n')
    await writeFile(join(folder, 'off'), '0\n')
  })
  afterAll(() => rm(folder, { recursive: true }))
  const check = (setting: string, PORT = 3000) => checkReusePort({ PORT }, join(folder, setting))

  it('is allowed if the kernel hands waiting connections to the other processes', async () => {
    await expect(check('on')).resolves.toBeUndefined()
  })

  it('is rejected with the command that allows it', async () => {
    await expect(check('off')).rejects.toThrow('sysctl -w net.ipv4.tcp_migrate_req=1')
  })

  it('is rejected where the kernel has no such setting, and for a random port', async () => {
    await expect(check('missing')).rejects.toThrow('Linux 5.14')
    await expect(check('on', 0)).rejects.toThrow('PORT other than 0')
  })
})
