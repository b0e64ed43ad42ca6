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

  it('must not be taken by another one, blanks aside', () => {
    expect(nameTrouble(' best ', mapping, null)).toBe('taken')
    expect(nameTrouble('best', mapping, 'fast')).toBe('taken')
  })

  it('may stay as it is, and may be one that objects have by nature', () => {
    expect(nameTrouble('best', mapping, 'best')).toBeNull()
    expect(nameTrouble('toString', mapping, null)).toBeNull()
  })
})

describe('an actual model', () => {
  it('needs a name', () => {
    expect(targetTrouble(['a', ' '], 1, [])).toBe('required')
  })

  it('stands once in a list', () => {
    expect(targetTrouble(['a', 'b', ' a '], 2, [])).toBe('repeated')
    expect(targetTrouble(['a', 'b'], 1, [])).toBeNull()
  })

  it('is not virtual itself', () => {
    expect(targetTrouble(['fast'], 0, ['fast', 'best'])).toBe('virtual')
  })

  it.each([
    [0, true],
    [12, true],
    [-1, false],
    [1.5, false],
    [null, false],
  ])('with priority %s is fine: %s', (value, isFine) => {
    expect(isPriority(value)).toBe(isFine)
  })
})

describe('the mapping', () => {
  it('is listed by name, the targets that win first', () => {
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

  it('takes a virtual model in place of the one it was made from', () => {
    const next = withVirtualModel(mapping, 'fast', { name: ' quick ', targets: [{ model: ' o4 ', priorities: 3 }] })

    expect(next).toEqual({ best: mapping.best, quick: [{ model: 'o4', priorities: 3 }] })
  })

  it('loses one and keeps the rest', () => {
    expect(withoutVirtualModel(mapping, 'fast')).toEqual({ best: mapping.best })
  })
})
