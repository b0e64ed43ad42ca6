import type { Dialect } from '../canonical/index.ts'
import { renderError } from '../openai-wire/errors.ts'
import { commentFrame } from '../sse/write-frame.ts'
import { decodeRequest } from './request/decode-request.ts'
import { encodeRequest } from './request/encode-request.ts'
import { passThroughChanges } from './request/patch-request.ts'
import { promptParts, readRequest } from './request/read-request.ts'
import { decodeResponse } from './response/decode-response.ts'
import { encodeResponse } from './response/encode-response.ts'
import { errorFrame } from './response/errors.ts'
import { createDecoder } from './stream/decode-events.ts'
import { createEncoder } from './stream/encode-events.ts'

/** OpenAI Responses API, for clients and providers. */
export const openaiResponses = {
  id: 'openai-responses',
  readRequest,
  promptParts,
  ownedChanges: passThroughChanges,
  decodeRequest,
  encodeRequest,
  createDecoder,
  createEncoder,
  decodeResponse,
  encodeResponse,
  // The provider's last event contains the whole response. We cannot replace it.
  closing: ({ terminal }) => terminal ?? '',
  renderError,
  errorFrame,
  pingFrame: commentFrame('PING'),
} satisfies Dialect
