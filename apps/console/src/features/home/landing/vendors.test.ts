import { expect, it } from 'vitest'
import { vendorsOf } from './vendors.ts'

it('puts makers with the most models first, and unknown ones last however many', () => {
  const models = ['OpenAI/a', '/x', '/y', '/z', 'Google/b', 'Google/c', 'Meta/d'].map((text) => {
    const [owner_by = '', model_name = ''] = text.split('/')
    return { owner_by, model_name }
  })

  expect(vendorsOf(models)).toEqual([
    { name: 'Google', models: ['b', 'c'] },
    { name: 'OpenAI', models: ['a'] },
    { name: 'Meta', models: ['d'] },
    { name: '', models: ['x', 'y', 'z'] },
  ])
})
