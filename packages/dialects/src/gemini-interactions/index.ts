import type { Dialect } from '../canonical/index.ts'
import { renderError } from '../google-wire/errors.ts'
import { commentFrame } from '../sse/write-frame.ts'
import { DIALECT_ID } from './ids.ts'
import { decodeRequest } from './request/decode-request.ts'
import { encodeRequest } from './request/encode-request.ts'
import { passThroughChanges } from './request/patch-request.ts'
import { promptParts, readRequest } from './request/read-request.ts'
import { decodeResponse } from './response/decode-response.ts'
import { encodeResponse } from './response/encode-response.ts'
import { createDecoder } from './stream/decode-events.ts'
import { createEncoder } from './stream/encode-events.ts'
import { closeStream, errorFrame } from './stream/frames.ts'

/** Google's Interactions API, for clients and providers. */
export const geminiInteractions = {
  id: DIALECT_ID,
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
} satisfies Dialect
