import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { getCACertificates, createServer as createTlsServer, setDefaultCACertificates } from 'node:tls'
import { selfSigned } from '@tidegate/testing'

export interface Collector {
  /** `tcp://127.0.0.1:<port>`, the format of the option. */
  readonly address: string
  /** Whole messages, oldest first. */
  readonly messages: readonly string[]
  /** Whether connections are reset before reading. */
  cut(isCut: boolean): void
  close(): Promise<void>
}

/** A syslog server for RFC 5424 messages with octet counting. */
export async function startCollector(
  protocol: 'tcp' | 'tls',
  { isTrusted = true }: { isTrusted?: boolean } = {},
): Promise<Collector> {
  const messages: string[] = []
  let isCut = false
  const accept = (socket: Socket) => {
    socket.on('error', () => {})
    if (isCut) return void socket.resetAndDestroy()
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('end', () => messages.push(...unframe(Buffer.concat(chunks))))
  }
  const { key, certificate } = selfSigned()
  const server = protocol === 'tls' ? createTlsServer({ key, cert: certificate }, accept) : createTcpServer(accept)
  if (isTrusted) setDefaultCACertificates([...getCACertificates('default'), certificate])
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    cut: (next) => void (isCut = next),
    async close() {
      server.close()
      await once(server, 'close')
    },
  }
}

/** The same over UDP, one message in each datagram. */
export async function startUdpCollector(): Promise<Collector> {
  const messages: string[] = []
  const socket = createSocket('udp4', (message) => messages.push(message.toString()))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `udp://127.0.0.1:${socket.address().port}`,
    messages,
    cut: () => {},
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function unframe(data: Buffer): string[] {
  const messages: string[] = []
  for (let at = 0; at < data.length;) {
    const space = data.indexOf(' ', at)
    const start = space + 1
    const end = start + Number(data.toString('ascii', at, space))
    messages.push(data.toString('utf8', start, end))
    at = end
  }
  return messages
}
