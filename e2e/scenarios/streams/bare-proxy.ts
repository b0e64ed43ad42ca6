import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A process that only forwards bytes, to measure what the machine alone adds to a stream. */
const target = process.argv[2]!

const server = createServer({ noDelay: true }, (incoming, response) => {
  const { method, headers, url } = incoming
  const forwarded = request(target + url, { method, headers }, (upstream) => {
    response.writeHead(upstream.statusCode ?? 502, { ...upstream.headers, 'x-accel-buffering': 'no' }).flushHeaders()
    upstream.pipe(response)
  })
  forwarded.on('error', () => response.destroy())
  incoming.pipe(forwarded)
})
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
