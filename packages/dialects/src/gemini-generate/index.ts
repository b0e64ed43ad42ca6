import type { Dialect } from '../canonical/index.ts'
import { DIALECT_ID } from './ids.ts'
import { decodeRequest } from './request/decode-request.ts'
import { encodeRequest } from './request/encode-request.ts'
import { passThroughChanges } from './request/patch-request.ts'
import { promptParts, readRequest } from './request/read-request.ts'
import { decodeResponse } from './response/decode-response.ts'
import { encodeResponse } from './response/encode-response.ts'
import { errorFrame, renderError } from '../google-wire/errors.ts'
import { createDecoder } from './stream/decode-events.ts'
import { createEncoder } from './stream/encode-events.ts'

/** Google's generateContent and streamGenerateContent, for clients and providers. */
export const geminiGenerate = {
  id: DIALECT_ID,
  readRequest,
  promptParts,
  passThroughChanges,
  decodeRequest,
  encodeRequest,
  createDecoder: (context) => createDecoder(context),
  createEncoder,
  decodeResponse,
  encodeResponse,
  // Google's streams have no end marker.
  closeStream: ({ terminal }) => terminal ?? '',
  renderError,
  errorFrame,
  // Google's clients treat any other line without `data:` as an error.
  pingFrame: '\n',
} satisfies Dialect

export { adaptModalities, adaptSafety, adaptThinking } from './request/patch-request.ts'
