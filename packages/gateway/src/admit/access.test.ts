import { expect, it } from 'vitest'
import type { Caller } from '../ports/index.ts'
import { checkModel } from './access.ts'

const caller = { modelLimitsEnabled: false } as Caller

it.each(['gpt-4o', 'gpt-4.1', 'meta/llama-3:free', '模型', 'a'.repeat(256)])('accepts the model name %j', (model) => {
  expect(() => checkModel(caller, model)).not.toThrow()
})

it.each(['a'.repeat(257), 'zero\0', 'line\nbreak', 'del\u007f', 'half \ud800', '.', '..', 'prefix/..'])(
  'rejects the model name %j, which cannot be stored or put in a URL',
  (model) => {
    expect(() => checkModel(caller, model)).toThrow(expect.objectContaining({ code: 'invalid_text_request' }))
  },
)
