import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A process that only forwards bytes, to measure what the machine alone adds to a stream. */
const target = process.argv[2]!

const server = createServer({ noDelay: true }, (asked, response) => {
  const { method, headers, url } = asked
  const passed = request(target + url, { method, headers }, (given) => {
    response.writeHead(given.statusCode ?? 502, { ...given.headers, 'x-accel-buffering': 'no' }).flushHeaders()
    given.pipe(response)
  })
  passed.on('error', () => response.destroy())
  asked.pipe(passed)
})
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
