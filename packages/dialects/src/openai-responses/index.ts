import type { Dialect } from '../canonical/index.ts'
import { renderError } from '../openai-wire/errors.ts'
import { commentFrame } from '../sse/write-frame.ts'
import { decodeAnswer } from './decode-answer.ts'
import { createDecoder } from './decode-events.ts'
import { decodeRequest } from './decode-request.ts'
import { encodeAnswer } from './encode-answer.ts'
import { createEncoder } from './encode-events.ts'
import { encodeRequest } from './encode-request.ts'
import { errorFrame } from './errors.ts'
import { ownedChanges } from './owned-changes.ts'
import { promptParts } from './prompt-parts.ts'
import { readRequest } from './read-request.ts'

/** OpenAI's Responses API, as we receive it and as vendors speak it. */
export const openaiResponses = {
  id: 'openai-responses',
  readRequest,
  promptParts,
  ownedChanges,
  decodeRequest,
  encodeRequest,
  createDecoder,
  createEncoder,
  decodeAnswer,
  encodeAnswer,
  // The vendor's last event holds its whole answer: without it there is nothing of ours that could stand for it.
  closing: ({ terminal }) => terminal ?? '',
  renderError,
  errorFrame,
  pingFrame: commentFrame('PING'),
} satisfies Dialect
