import { DialectError } from '../canonical/errors.ts'
import type { Dialect } from '../canonical/index.ts'
import { errorFrame, renderError } from '../openai-wire/errors.ts'
import { commentFrame } from '../sse/write-frame.ts'
import { decodeRequest } from './request/decode-request.ts'
import { passThroughChanges, promptParts, readRequest } from './request/read-request.ts'
import { decodeResponse } from './response/decode-response.ts'
import { encodeResponse } from './response/encode-response.ts'
import { createDecoder } from './stream/decode-events.ts'
import { responseFrames, closeStream, createEncoder } from './stream/encode-events.ts'

/** OpenAI's legacy completions API. */
export const openaiCompletions = {
  id: 'openai-completions',
  readRequest,
  promptParts,
  passThroughChanges,
  decodeRequest,
  encodeRequest() {
    throw new DialectError('cannot_express', 'a chat for a provider that only completes plain text')
  },
  createDecoder,
  createEncoder,
  decodeResponse,
  encodeResponse,
  closeStream,
  renderError,
  errorFrame,
  pingFrame: commentFrame('PING'),
  responseFrames,
} satisfies Dialect & { responseFrames(body: string): string }
