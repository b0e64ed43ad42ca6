import { DialectError } from '../canonical/errors.ts'
import { asJsonObject, type JsonObject } from './json-object.ts'
import { parseInSlices } from './parse-in-slices.ts'

/** Parses the object in a request body. The body was scanned while it was read. */
export function parseBody(text: string): JsonObject {
  try {
    return objectOf(JSON.parse(text))
  } catch (error) {
    throw asDialectError(error)
  }
}

/**
 * Same for a large body. The caller does other work at every `yield`. A repeated name is an error here, because
 * rewriting the body would block the event loop.
 */
export function* parseBodyInSlices(text: string): Generator<undefined, JsonObject> {
  try {
    return objectOf(yield* parseInSlices(text, rejectRepeated))
  } catch (error) {
    throw asDialectError(error)
  }
}

function rejectRepeated(name: string): never {
  throw new DialectError('invalid_request', `the member ${name.slice(0, 50)} is given twice in one object`)
}

function objectOf(value: unknown): JsonObject {
  const object = asJsonObject(value)
  if (!object) throw new DialectError('invalid_request', 'the body must be an object')
  return object
}

function asDialectError(error: unknown): unknown {
  return error instanceof SyntaxError ? new DialectError('invalid_json') : error
}
