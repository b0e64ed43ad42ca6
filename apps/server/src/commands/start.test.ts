import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseEnvironment } from '../environment.ts'
import { createLogger } from '../observability/logging.ts'
import { checkPort, start } from './start.ts'

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
