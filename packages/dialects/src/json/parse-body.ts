import { DialectError } from '../canonical/errors.ts'
import { asJsonObject, type JsonObject } from './json-object.ts'
import { parseInSlices } from './parse-in-slices.ts'

/** The object a request body holds. The body was scanned while it was read. */
export function parseBody(text: string): JsonObject {
  try {
    return objectOf(JSON.parse(text))
  } catch (error) {
    throw asDialectError(error)
  }
}

/**
 * The same for a large body: the caller does other work at every `yield`. A name given twice is an error here, since writing
 * the body again would take the event loop.
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
