import type { Dialect } from '../canonical/index.ts'
import { eventFrame } from '../sse/write-frame.ts'
import { DIALECT_ID } from './ids.ts'
import { decodeRequest } from './request/decode-request.ts'
import { encodeRequest } from './request/encode-request.ts'
import { passThroughChanges } from './request/patch-request.ts'
import { promptParts, readRequest } from './request/read-request.ts'
import { decodeResponse } from './response/decode-response.ts'
import { encodeResponse } from './response/encode-response.ts'
import { errorFrame, renderError } from './response/errors.ts'
import { createDecoder } from './stream/decode-events.ts'
import { createEncoder } from './stream/encode-events.ts'

/** Anthropic Messages API, for clients such as Claude Code and for providers. */
export const anthropicMessages = {
  id: DIALECT_ID,
  readRequest,
  promptParts,
  ownedChanges: passThroughChanges,
  decodeRequest,
  encodeRequest,
  createDecoder,
  createEncoder,
  decodeResponse,
  encodeResponse,
  // Every stream includes usage, so only the end marker can be missing.
  closing: ({ terminal }) => terminal ?? eventFrame('message_stop', {}),
  renderError,
  errorFrame,
  pingFrame: eventFrame('ping', {}),
} satisfies Dialect

export { enableThinking, ensureMaxTokens } from './request/patch-request.ts'
