import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { renderPart } from '../../../../test/render-part.tsx'
import { KeyEntry } from './key-fields.tsx'

function Sample({ singleKey = false }: { singleKey?: boolean }) {
  const [value, setValue] = useState('')
  return (
    <>
      <label htmlFor="key">密钥</label>
      <KeyEntry id="key" value={value} onChange={setValue} singleKey={singleKey} placeholder="sk-…" />
    </>
  )
}

const field = () => screen.getByLabelText<HTMLInputElement | HTMLTextAreaElement>('密钥')
const type = (value: string) => fireEvent.change(field(), { target: { value } })

describe('entering keys', () => {
  it('starts with one hidden key', () => {
    renderPart(<Sample />)

    expect(field().tagName).toBe('INPUT')
    expect(field().getAttribute('type')).toBe('password')
  })

  it('switches to several keys when a comma is typed, and keeps the focus', () => {
    renderPart(<Sample />)
    field().focus()

    type('sk-a,')

    expect(field().tagName).toBe('TEXTAREA')
    expect(field().value).toBe('sk-a,')
    expect(document.activeElement).toBe(field())
  })

  it('switches to several keys when lines are pasted, and keeps the line breaks', () => {
    renderPart(<Sample />)

    fireEvent.paste(field(), { clipboardData: { getData: () => 'sk-a\nsk-b\nsk-a' } })

    expect(field().value).toBe('sk-a\nsk-b\nsk-a')
    expect(screen.getByText('2 个密钥，轮流使用')).toBeTruthy()
  })

  it('does not intercept the paste of a single key', () => {
    renderPart(<Sample />)

    const isDefaultAllowed = fireEvent.paste(field(), { clipboardData: { getData: () => 'sk-a' } })

    expect(isDefaultAllowed).toBe(true)
    expect(field().tagName).toBe('INPUT')
  })

  it('can switch back to one key only if there is one', () => {
    renderPart(<Sample />)
    type('sk-a,sk-b')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '单个密钥' }).disabled).toBe(true)

    type('sk-a')
    fireEvent.click(screen.getByRole('radio', { name: '单个密钥' }))

    expect(field().tagName).toBe('INPUT')
  })

  it('keeps a document unchanged if the provider uses one as its key', () => {
    renderPart(<Sample singleKey />)

    type('{"a": 1,\n"b": 2}')

    expect(field().tagName).toBe('TEXTAREA')
    expect(screen.queryByRole('radio')).toBeNull()
    expect(field().value).toBe('{"a": 1,\n"b": 2}')
  })
})
