import { expect, it } from 'vitest'
import TEXTS from './reference-texts.zh.json' with { type: 'json' }
import { REFERENCES } from './references.ts'
import { translate } from './translate.ts'

it('rejects a text without a translation, and names the file to change', () => {
  expect(() => translate('a new option', 'zh')).toThrow('reference-texts.zh.json has no "a new option"')
})

it('has no translation that no page uses', () => {
  const pages = Object.entries(REFERENCES).flatMap(([path, make]) => (path.startsWith('docs/zh/') ? [make()] : []))
  const text = pages.join('\n').replaceAll('\\|', '|')

  expect(Object.entries(TEXTS).filter(([, translated]) => !text.includes(translated))).toEqual([])
})
