import type { Dialect } from '../canonical/index.ts'
import { createDecoder } from './stream/decode-events.ts'
import { decodeAnswer } from './response/decode-response.ts'
import { decodeRequest } from './request/decode-request.ts'
import { OWN } from './ids.ts'
import { encodeAnswer } from './response/encode-response.ts'
import { createEncoder } from './stream/encode-events.ts'
import { encodeRequest } from './request/encode-request.ts'
import { errorFrame, renderError } from './response/errors.ts'
import { eventFrame } from '../sse/write-frame.ts'
import { ownedChanges } from './request/patch-request.ts'
import { promptParts, readRequest } from './request/read-request.ts'

/** Anthropic's messages, as Claude Code and other clients send them, and as vendors speak them. */
export const anthropicMessages = {
  id: OWN,
  readRequest,
  promptParts,
  ownedChanges,
  decodeRequest,
  encodeRequest,
  createDecoder,
  createEncoder,
  decodeAnswer,
  encodeAnswer,
  // The counts are in every stream, so only the end mark can be missing.
  closing: ({ terminal }) => terminal ?? eventFrame('message_stop', {}),
  renderError,
  errorFrame,
  pingFrame: eventFrame('ping', {}),
} satisfies Dialect

export { thinkingChanges, withMaxTokens, type ThinkingWish } from './request/patch-request.ts'
