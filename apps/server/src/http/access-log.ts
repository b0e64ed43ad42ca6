import type { IncomingMessage, ServerResponse } from 'node:http'
import { logEvent } from '@tidegate/contract'
import type { Logger } from '../observability/logging.ts'

/** Polled every few seconds by machines; not logged. */
const SILENT = new Set(['/healthz', '/readyz', '/metrics'])

/** Logs a response when it is sent or its client disconnects. */
export type AccessLog = (request: IncomingMessage, response: ServerResponse, requestId: string) => void

/**
 * One line for each response of the API and the data plane. Client addresses are personal data and logged only if
 * configured.
 */
export function createAccessLog(log: Logger, addressOf: ((request: IncomingMessage) => string) | undefined): AccessLog {
  return (request, response, requestId) => {
    if (!log.isLevelEnabled('info')) return
    const path = (request.url ?? '').split('?')[0]!
    if (SILENT.has(path)) return
    const started = performance.now()
    // Read now: a closed connection has no address.
    const clientAddress = addressOf?.(request)
    response.once('close', () => {
      logEvent(log, 'http.request', {
        requestId,
        method: request.method,
        path,
        status: response.statusCode,
        milliseconds: Math.round(performance.now() - started),
        ...(clientAddress !== undefined && { clientAddress }),
        ...(!response.writableFinished && { unfinished: true }),
      })
    })
  }
}
