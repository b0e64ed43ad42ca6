import type { IncomingMessage } from 'node:http'
import { ApiError } from '@tidegate/contract'
import { countMembers, parseBody, parseBodyInSlices, type JsonObject } from '@tidegate/dialects'
import { nextTurn } from '../tokens/yield-event-loop.ts'
import { LARGE_BODIES } from './held-bytes.ts'
import { readBody, type BodyText, type ReadOptions } from './read-body.ts'

export interface JsonText {
  readonly text: string
  readonly tree: JsonObject
}

export interface JsonBody {
  readonly kind: 'json'
  readonly text: string
  readonly tree: JsonObject
}

/** `JSON.parse` takes some milliseconds for as much; names cost the most, when each is new. */
const SMALL_LENGTH = 1024 * 1024
const FEW_MEMBERS = 5_000

/** The object of a JSON request body, with its text. A large one is parsed in slices, between which other requests go on. */
export async function readJson(
  request: IncomingMessage,
  options?: Pick<ReadOptions, 'capBytes' | 'beforeLarge'>,
): Promise<JsonText> {
  const held = LARGE_BODIES.open()
  try {
    const body = await readBody(request, { ...options, hold: held.add })
    const tree = isSmall(body) ? parseBody(body.text) : await parseLarge(body.text)
    // A provider that keeps the first of two equal names must not read what was not checked here.
    const isRepeated = isSmall(body) && countMembers(tree) < body.members
    return { text: isRepeated ? JSON.stringify(tree) : body.text, tree }
  } finally {
    held.release()
  }
}

function isSmall({ text, members }: BodyText): boolean {
  return text.length <= SMALL_LENGTH && members <= FEW_MEMBERS
}

async function parseLarge(text: string): Promise<JsonObject> {
  const slices = parseBodyInSlices(text)
  for (;;) {
    const slice = slices.next()
    if (slice.done) return slice.value
    await nextTurn()
  }
}

/** Refuses a request that cannot be one, in the words of its field. */
export function demand(condition: unknown, reason: string): asserts condition {
  if (!condition) throw new ApiError('invalid_text_request', { reason })
}
