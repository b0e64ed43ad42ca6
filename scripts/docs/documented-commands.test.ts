import { describe, expect, it } from 'vitest'
import { findUnknownCommands } from './documented-commands.ts'

describe('commands in documents', () => {
  it.each([
    ['a command', 'tidegate serve', 'there is no command tidegate serve'],
    [
      'an option',
      'A=1 tidegate backup site.backup --fast',
      '--fast is not an option of tidegate backup: tidegate backup site.backup --fast',
    ],
    ['a command after another', 'cd site && tidegate go', 'there is no command tidegate go'],
  ])('are checked for %s that does not exist', (_, text, problem) => {
    expect(findUnknownCommands(text)).toEqual([problem])
  })

  it.each([
    'tidegate config apply site.yaml --prune --yes',
    'tidegate import --from sqlite:one-api.db \\\n  --yes --logs',
    'kubectl --namespace tidegate rollout status',
    'Tidegate starts',
  ])('%s is accepted', (text) => {
    expect(findUnknownCommands(text)).toEqual([])
  })
})
