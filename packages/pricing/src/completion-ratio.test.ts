import { expect, it } from 'vitest'
import { builtInCompletionRatio } from './completion-ratio.ts'

it.each([
  ['gpt-4o-2024-08-06', 4, true],
  ['gpt-4o-2024-05-13', 3, true],
  ['gpt-4o-gizmo-*', 3, false],
  ['gpt-4.5-preview-2025-02-27', 2, true],
  ['gpt-4-turbo-2024-04-09', 3, true],
  ['gpt-4-0613', 2, false],
  ['gpt-4-all', 2, false],
  ['o1-mini', 4, true],
  ['o3-mini-high', 4, true],
  ['chatgpt-4o-latest', 3, true],
  ['claude-3-7-sonnet-20250219', 5, true],
  ['claude-opus-4-20250514', 5, true],
  ['claude-2.1', 3, true],
  ['gpt-3.5-turbo', 3, true],
  ['gpt-3.5-turbo-1106', 2, true],
  ['gpt-3.5-turbo-16k', 4 / 3, true],
  ['mistral-large-latest', 3, true],
  ['gemini-1.5-pro-latest', 4, true],
  ['gemini-2.5-pro-preview-03-25', 8, true],
  ['gemini-2.5-flash-preview-04-17', 3.5 / 0.6, false],
  ['gemini-2.5-flash-preview-04-17-nothinking', 4, false],
  ['gemini-2.0-flash', 4, false],
  ['command-r', 3, true],
  ['command-r-plus', 5, true],
  ['command-r-plus-08-2024', 4, true],
  ['command-light', 4, false],
  ['deepseek-reasoner', 4, true],
  ['ERNIE-Speed-8K', 2, true],
  ['something-else', 1, false],
])('an output token of %s costs %d input tokens', (model, ratio, binding) => {
  expect(builtInCompletionRatio(model)).toEqual({ ratio, binding })
})
