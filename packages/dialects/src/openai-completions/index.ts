import type { Dialect } from '../canonical/index.ts'
import { DialectError } from '../canonical/errors.ts'
import { errorFrame, renderError } from '../openai-wire/errors.ts'
import { commentFrame } from '../sse/write-frame.ts'
import { decodeAnswer } from './response/decode-response.ts'
import { encodeAnswer } from './response/encode-response.ts'
import { createDecoder } from './stream/decode-events.ts'
import { decodeRequest } from './request/decode-request.ts'
import { ownedChanges, promptParts, readRequest } from './request/read-request.ts'
import { answerFrames, closing, createEncoder } from './stream/encode-events.ts'

/** OpenAI's plain completions, the older API: a text in, its continuation out. */
export const openaiCompletions = {
  id: 'openai-completions',
  readRequest,
  promptParts,
  ownedChanges,
  decodeRequest,
  encodeRequest() {
    throw new DialectError('cannot_express', 'a conversation for a vendor that only continues plain text')
  },
  createDecoder,
  createEncoder,
  decodeAnswer,
  encodeAnswer,
  closing,
  renderError,
  errorFrame,
  pingFrame: commentFrame('PING'),
  answerFrames,
} satisfies Dialect & { answerFrames(body: string): string }
