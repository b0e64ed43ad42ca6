import { connect, createServer } from 'node:net'

/** The end of a lossy way: takes connections in its namespace and carries them out through a socket file. */
const [address, port, socket] = process.argv.slice(2)

const server = createServer({ allowHalfOpen: true, noDelay: true }, (incoming) => {
  const outgoing = connect({ path: socket!, allowHalfOpen: true })
  incoming.pipe(outgoing).pipe(incoming)
  incoming.on('error', () => outgoing.destroy())
  outgoing.on('error', () => incoming.destroy())
})
// The address may not be there yet.
server.on('error', () => setTimeout(() => server.listen(Number(port), address), 50))
server.listen(Number(port), address)
