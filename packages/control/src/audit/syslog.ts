import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect as connectTcp, isIP } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectTls } from 'node:tls'
import { resolveEgress } from '@tidegate/providers'
import type { ExportedRecord } from '@tidegate/storage'
import { exportLine } from './chain.ts'

export interface SyslogAddress {
  protocol: 'udp' | 'tcp' | 'tls'
  host: string
  port: number
}

/** Parses `tls://collector.example:6514`, the format of the option. */
export function parseSyslogAddress(text: string): SyslogAddress {
  const match = /^(udp|tcp|tls):\/\/(.+):(\d+)$/.exec(text)
  if (!match) throw new Error('invalid syslog address')
  const [, protocol, host, port] = match
  return { protocol: protocol as SyslogAddress['protocol'], host: host!.replace(/^\[|\]$/g, ''), port: Number(port) }
}

/** Facility 13 of RFC 5424, "log audit". */
const FACILITY = 13
const WARNING = 4
const INFORMATIONAL = 6
const FAILURE = /_failed$|\.forbidden$|\.ip_not_allowed$/
/** A datagram holds 65,507 bytes. */
const LARGEST_DATAGRAM = 60_000

/** Formats an event as an RFC 5424 message. The text is the export line. */
export function syslogMessage(record: ExportedRecord, details = record.details): Buffer {
  const { action, created_at } = record
  const priority = FACILITY * 8 + (FAILURE.test(action) ? WARNING : INFORMATIONAL)
  const header = `<${priority}>1 ${created_at} ${token(hostname(), 255)} tidegate - ${token(action, 32)} -`
  return Buffer.from(`${header} ${exportLine(record, details)}`)
}

/** An event too large for a datagram is sent without its details. Its content hash shows that they are missing. */
function datagramOf(record: ExportedRecord): Buffer {
  const whole = syslogMessage(record)
  return whole.length <= LARGEST_DATAGRAM ? whole : syslogMessage(record, '{}')
}

/** Header fields of RFC 5424 are printable ASCII. */
function token(text: string, max: number): string {
  return text.replace(/[^\x21-\x7e]/g, '?').slice(0, max) || '-'
}

/** Sends events in order. Rejects when the collector is unreachable or closes the connection. */
export async function sendSyslog(
  address: SyslogAddress,
  records: readonly ExportedRecord[],
  signal: AbortSignal,
): Promise<void> {
  if (address.protocol === 'udp') return sendDatagrams(address, records)
  const messages = records.map((record) => syslogMessage(record))
  // Octet counting of RFC 6587 and RFC 5425.
  const frames = messages.flatMap((message) => [Buffer.from(`${message.length} `), message])
  await sendStream(address, Buffer.concat(frames), signal)
}

async function sendDatagrams({ host, port }: SyslogAddress, records: readonly ExportedRecord[]): Promise<void> {
  const { address, family } = await lookup(await resolveEgress(host))
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  socket.on('error', () => {}) // errors arrive in the callback of each message
  try {
    for (const record of records) {
      await new Promise<void>((resolve, reject) => {
        socket.send(datagramOf(record), port, address, (error) => (error ? reject(error) : resolve()))
      })
    }
  } finally {
    socket.close()
  }
}

/** How long the collector has to close its side after it received everything. */
const CLOSE_MS = 2_000

/**
 * Opens one connection per batch, closed by both sides. Syslog has no acknowledgements; a clean close is the best sign
 * that the collector read the data.
 */
async function sendStream({ protocol, host, port }: SyslogAddress, data: Buffer, signal: AbortSignal): Promise<void> {
  const to = { host: await resolveEgress(host), port }
  const socket =
    protocol === 'tls' ? connectTls({ ...to, ...(isIP(host) === 0 && { servername: host }) }) : connectTcp(to)
  const abort = () => socket.destroy(Object.assign(new Error('syslog timeout'), { code: 'ETIMEDOUT' }))
  signal.addEventListener('abort', abort, { once: true })
  let closing: NodeJS.Timeout | undefined
  try {
    const closed = once(socket, 'close') // rejects on an error
    socket.on('error', () => {})
    socket.once('finish', () => {
      closing = setTimeout(() => socket.destroy(), CLOSE_MS)
    })
    socket.resume()
    socket.end(data)
    await closed
    if (!closing) throw Object.assign(new Error('syslog connection closed early'), { code: 'ECONNRESET' })
  } finally {
    clearTimeout(closing)
    signal.removeEventListener('abort', abort)
    socket.destroy()
  }
}
