import { expect, it } from 'vitest'
import { splitNames } from './split-names.ts'

it('reads a list with commas of either script, line ends, blanks and repetitions', () => {
  expect(splitNames(' gpt-4o, gpt-4o-mini，o3\n gpt-4o,,')).toEqual(['gpt-4o', 'gpt-4o-mini', 'o3'])
})
