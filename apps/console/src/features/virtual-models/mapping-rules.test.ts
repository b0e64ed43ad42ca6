import { describe, expect, it } from 'vitest'
import {
  isPriority,
  listVirtualModels,
  nameTrouble,
  targetTrouble,
  withoutVirtualModel,
  withVirtualModel,
} from './mapping-rules.ts'

const mapping = { fast: [{ model: 'gpt-4o-mini', priorities: 1 }], best: [{ model: 'o3', priorities: 0 }] }

describe('the name of a virtual model', () => {
  it.each(['', '  '])('must not be %j', (name) => {
    expect(nameTrouble(name, mapping, null)).toBe('required')
  })

  it('must be unique after trimming', () => {
    expect(nameTrouble(' best ', mapping, null)).toBe('taken')
    expect(nameTrouble('best', mapping, 'fast')).toBe('taken')
  })

  it('may stay unchanged, and may be the name of an inherited object property', () => {
    expect(nameTrouble('best', mapping, 'best')).toBeNull()
    expect(nameTrouble('toString', mapping, null)).toBeNull()
  })
})

describe('a target model', () => {
  it('requires a name', () => {
    expect(targetTrouble(['a', ' '], 1, [])).toBe('required')
  })

  it('must be unique in the list', () => {
    expect(targetTrouble(['a', 'b', ' a '], 2, [])).toBe('repeated')
    expect(targetTrouble(['a', 'b'], 1, [])).toBeNull()
  })

  it('must not be a virtual model', () => {
    expect(targetTrouble(['fast'], 0, ['fast', 'best'])).toBe('virtual')
  })

  it.each([
    [0, true],
    [12, true],
    [-1, false],
    [1.5, false],
    [null, false],
  ])('accepts the priority %s: %s', (value, isValid) => {
    expect(isPriority(value)).toBe(isValid)
  })
})

describe('the mapping', () => {
  it('is listed by name, with targets by descending priority', () => {
    const list = listVirtualModels({
      b: [
        { model: 'x', priorities: 1 },
        { model: 'y', priorities: 5 },
      ],
      a: [],
    })

    expect(list.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(list[1]!.targets.map(({ model }) => model)).toEqual(['y', 'x'])
  })

  it('replaces an edited virtual model', () => {
    const next = withVirtualModel(mapping, 'fast', { name: ' quick ', targets: [{ model: ' o4 ', priorities: 3 }] })

    expect(next).toEqual({ best: mapping.best, quick: [{ model: 'o4', priorities: 3 }] })
  })

  it('removes one virtual model and keeps the others', () => {
    expect(withoutVirtualModel(mapping, 'fast')).toEqual({ best: mapping.best })
  })
})
