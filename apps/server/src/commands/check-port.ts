import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Environment } from '../environment.ts'

/** Throws when the port cannot be used, before a start creates a data directory or a database. */
export async function checkPort({ PORT, HOST }: Pick<Environment, 'PORT' | 'HOST'>): Promise<void> {
  if (PORT === 0) return
  const server = createServer((socket) => socket.destroy())
  server.listen({ port: PORT, host: HOST })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
