import type { Dialect } from '../canonical/index.ts'
import { errorFrame, renderError } from '../openai-wire/errors.ts'
import { commentFrame } from '../sse/write-frame.ts'
import { decodeRequest } from './request/decode-request.ts'
import { encodeRequest } from './request/encode-request.ts'
import { passThroughChanges } from './request/patch-request.ts'
import { promptParts, readRequest } from './request/read-request.ts'
import { scanRequest } from './request/scan-request.ts'
import { decodeResponse } from './response/decode-response.ts'
import { encodeResponse } from './response/encode-response.ts'
import { scanResponse } from './response/scan-response.ts'
import { responseFrames, closeStream } from './stream/chunks.ts'
import { createDecoder } from './stream/decode-events.ts'
import { createEncoder } from './stream/encode-events.ts'

/** OpenAI Chat Completions API, for clients and providers. */
export const openaiChat = {
  id: 'openai-chat',
  readRequest,
  promptParts,
  passThroughChanges,
  decodeRequest,
  encodeRequest,
  createDecoder,
  createEncoder,
  decodeResponse,
  encodeResponse,
  closeStream,
  renderError,
  errorFrame,
  pingFrame: commentFrame('PING'),
  responseFrames,
  scanRequest,
  scanResponse,
} satisfies Dialect & {
  responseFrames(body: string): string
  scanRequest: typeof scanRequest
  scanResponse: typeof scanResponse
}
