import { connect } from 'node:net'
import { sendRequest } from './send-request.ts'
import { type AttackSite, METRICS_TOKEN } from './attack-site.ts'

export interface Exchange {
  /** Everything received until the server closed the connection or went silent. */
  readonly text: string
  readonly statuses: readonly number[]
  readonly closed: boolean
  readonly milliseconds: number
}

export const MEGABYTE = 1024 ** 2
/** The most time a server may take to reject bytes it has received completely. */
export const SOON_MS = 5_000
/** The most memory growth of a process, whatever is sent. */
export const MAX_GROWTH_BYTES = 192 * MEGABYTE
const QUIET_MS = 400

export async function residentBytes({ url }: AttackSite): Promise<number> {
  const { text } = await sendRequest(url, { path: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1] ?? Number.NaN)
}

/** Sends raw bytes and collects the response until the server closes the connection or goes silent. */
export function exchange(port: number, bytes: string, quietMs = QUIET_MS): Promise<Exchange> {
  const started = performance.now()
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    let quiet: NodeJS.Timeout | undefined
    const finish = (closed: boolean) => {
      clearTimeout(quiet)
      clearTimeout(patience)
      socket.destroy()
      // Not anchored: a second response starts where the body of the first ends, which is not a new line.
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))
      resolve({ text, statuses, closed, milliseconds: performance.now() - started })
    }
    const patience = setTimeout(() => finish(false), SOON_MS)
    socket.setEncoding('latin1')
    socket.on('data', (piece: string) => {
      text += piece
      clearTimeout(quiet)
      quiet = setTimeout(() => finish(false), quietMs) // a second response would follow at once
    })
    socket.once('close', () => finish(true)).on('error', () => {})
    socket.write(bytes, 'latin1')
  })
}
