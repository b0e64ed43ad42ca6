import { connect, createServer } from 'node:net'

/** The peer of a lossy link: accepts connections in its namespace and forwards them through a socket file. */
const [address, port, socket] = process.argv.slice(2)

const server = createServer({ allowHalfOpen: true, noDelay: true }, (incoming) => {
  const outgoing = connect({ path: socket!, allowHalfOpen: true })
  incoming.pipe(outgoing).pipe(incoming)
  incoming.on('error', () => outgoing.destroy())
  outgoing.on('error', () => incoming.destroy())
})
// The address may not exist yet.
server.on('error', () => setTimeout(() => server.listen(Number(port), address), 50))
server.listen(Number(port), address)
