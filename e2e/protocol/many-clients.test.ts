import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { sharedSite } from './shared-site.ts'

const { pid, port } = sharedSite()

/** Twice the default backlog of Node, if the kernel allows it. */
const CLIENTS = Math.min(1_000, Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')))

it('queues new connections while the process is busy instead of rejecting them', async () => {
  const clients: Socket[] = []
  process.kill(pid, 'SIGSTOP') // blocks the event loop
  try {
    for (let client = 0; client < CLIENTS; client++) clients.push(connect(port, '127.0.0.1'))
    await Promise.all(clients.map((client) => once(client, 'connect')))
  } finally {
    process.kill(pid, 'SIGCONT')
  }

  const responses = clients.map((client) => {
    client.write('GET /healthz HTTP/1.1\r\nhost: tidegate\r\nconnection: close\r\n\r\n')
    return text(client)
  })

  const heads = (await Promise.all(responses)).map((response) => response.split('\r\n', 1)[0])
  expect(new Set(heads)).toEqual(new Set(['HTTP/1.1 200 OK']))
})
