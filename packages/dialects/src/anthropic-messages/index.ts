import type { Dialect } from '../canonical/index.ts'
import { createDecoder } from './decode-events.ts'
import { decodeAnswer } from './decode-answer.ts'
import { decodeRequest } from './decode-request.ts'
import { OWN } from './dialect-id.ts'
import { encodeAnswer } from './encode-answer.ts'
import { createEncoder } from './encode-events.ts'
import { encodeRequest } from './encode-request.ts'
import { errorFrame, renderError } from './errors.ts'
import { eventFrame } from './event-frame.ts'
import { ownedChanges } from './owned-changes.ts'
import { promptParts } from './prompt-parts.ts'
import { readRequest } from './read-request.ts'

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

export { thinkingChanges, withMaxTokens, type ThinkingWish } from './thinking-changes.ts'
