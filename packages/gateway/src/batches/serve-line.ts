import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { type ApiRequest, receiveRequest } from '../http/api-request.ts'
import { EventWriter } from '../http/event-writer.ts'
import type { ClaimedLine, Ports } from '../ports/index.ts'
import { lineRequestId } from './batch-format.ts'
import type { LineResponse } from './line-outcome.ts'

/** As the SDKs send it. */
const ANTHROPIC_VERSION = '2023-06-01'

/** Serves lines of batches like requests of their owners: with the same limits, routes, prices and logs. */
export function createLineServer(
  ports: Pick<Ports, 'now' | 'catalog'>,
  serve: (incoming: ApiRequest) => Promise<void>,
): (line: ClaimedLine) => Promise<LineResponse> {
  return async (line) => {
    const request = requestOf(line)
    const receiver = { ...ports, clientAddress: () => line.clientAddress }
    const incoming = receiveRequest(
      receiver,
      request,
      new ServerResponse(request),
      lineRequestId(line.batchId, line.number),
    )
    let response: { status: number; headers: OutgoingHttpHeaders; text: string } | undefined
    incoming.continueWithoutClient(
      new EventWriter({
        event: () => undefined,
        body: (status, headers, text) => (response = { status, headers, text }),
        end() {},
      }),
    )
    incoming.body = Buffer.from(line.body)
    incoming.batchLine = { batchId: line.batchId, number: line.number, tokenId: line.tokenId }
    await serve(incoming)
    const isInterrupted = !response || (incoming.isAborted && incoming.revokedBy === undefined)
    return { ...(response ?? { status: 503, headers: {}, text: '' }), isInterrupted }
  }
}

function requestOf({ endpoint, protocol }: ClaimedLine): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  request.method = 'POST'
  request.url = endpoint
  request.headers = {
    'content-type': 'application/json',
    ...(protocol === 'anthropic' && { 'anthropic-version': ANTHROPIC_VERSION }),
  }
  return request
}
