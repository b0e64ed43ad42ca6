import { asText, asTree, type Tree } from '../tree.ts'
import type { WireError } from '../wire-error.ts'
import { jsonFrame } from '../sse/write-frame.ts'

/** The error object of an answer, whole, when the answer is one. */
export function errorIn(tree: Tree): WireError | undefined {
  const { error } = tree
  if (typeof error === 'string' && error !== '') return { message: error }
  const object = asTree(error)
  if (!object) return undefined
  const message = asText(object.message)
  // Some vendors send an empty error object with every good answer.
  if (message === '' && !object.code && !object.type) return undefined
  return { ...object, message: message || 'The upstream reported an error without a message.' }
}

export function renderError(error: WireError): { error: WireError } {
  return {
    error: {
      ...error,
      message: error.message,
      type: error.type ?? null,
      param: error.param ?? null,
      code: error.code ?? null,
    },
  }
}

/** The last event of a stream that broke: clients raise it as an error, and no end mark follows. */
export function errorFrame(error: WireError): string {
  return jsonFrame(renderError(error))
}
