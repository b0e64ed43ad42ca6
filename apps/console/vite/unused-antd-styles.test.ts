import { describe, expect, it } from 'vitest'
import { dropUnusedRules } from './unused-antd-styles.ts'

describe('dropUnusedRules', () => {
  it('keeps the rules of used variants', () => {
    const css = '.ant-btn{color:red}.ant-btn:hover,.ant-btn-sm{color:blue}'

    expect(dropUnusedRules(css)).toBe(css)
  })

  it('removes the rules and selectors of unused variants', () => {
    expect(dropUnusedRules('.ant-input-rtl{direction:rtl}.ant-input{margin:0}')).toBe('.ant-input{margin:0}')
    expect(dropUnusedRules('.ant-input-filled:hover,.ant-input{margin:0}')).toBe('.ant-input{margin:0}')
    expect(dropUnusedRules('@media(hover:none){.ant-input-rtl{margin:0}}')).toBe('')
  })

  it('keeps a rule that excludes an unused variant', () => {
    const css = '.ant-select:not(.ant-select-filled){margin:0}'

    expect(dropUnusedRules(css)).toBe(css)
  })

  it('splits selectors only at commas outside of parentheses and brackets', () => {
    const css = '.ant-tabs:is(.a,.b) [title="x,y"],.ant-tabs-rtl{margin:0}'

    expect(dropUnusedRules(css)).toBe('.ant-tabs:is(.a,.b) [title="x,y"]{margin:0}')
  })

  it('keeps only animations that a rule uses', () => {
    const css = '.ant-a{animation-name:in;}@keyframes in{0%{opacity:0}}@keyframes out{0%{opacity:1}}'

    expect(dropUnusedRules(css)).toBe('.ant-a{animation-name:in;}@keyframes in{0%{opacity:0}}')
  })
})
