import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { renderPart } from '../../../test/render-part.tsx'
import { JsonField } from './json-field.tsx'

const TEMPLATE = '{\n  "a": 1\n}'

function Sample({ text }: { text: string }) {
  const [value, setValue] = useState(text)
  return <JsonField label="规则" template={TEMPLATE} value={value} onChange={setValue} />
}

const open = (text: string) => renderPart(<Sample text={text} />)
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: '规则' })
const type = (value: string) => fireEvent.change(field(), { target: { value } })

describe('JsonField', () => {
  it('says while one types whether the text can be read, and where it breaks', () => {
    open('')
    expect(screen.getByText('可以留空')).toBeTruthy()

    type('{"a": 1, "b": 2}')
    expect(screen.getByText('JSON 合法，2 项')).toBeTruthy()

    type('{\n"a" 1}')
    expect(screen.getByText('第 2 行第 5 列有误，不是合法的 JSON')).toBeTruthy()

    type('[1]')
    expect(screen.getByText(/必须是 JSON 对象/)).toBeTruthy()
  })

  it('tidies what can be read, and offers no tidying for what cannot', () => {
    open('{"a":{"b":1}}')

    fireEvent.click(screen.getByRole('button', { name: '格式化规则' }))
    expect(field().value).toBe('{\n  "a": {\n    "b": 1\n  }\n}')

    type('{"a":')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '格式化规则' }).disabled).toBe(true)
  })

  it('inserts the template into an empty field without confirmation', () => {
    open('')

    fireEvent.click(screen.getByRole('button', { name: '为规则填入模板' }))

    expect(field().value).toBe(TEMPLATE)
  })

  it('asks for confirmation before the template replaces text', async () => {
    open('{"own": true}')

    fireEvent.click(screen.getByRole('button', { name: '为规则填入模板' }))
    expect(field().value).toBe('{"own": true}')
    fireEvent.click(await screen.findByRole('button', { name: '替换' }))

    expect(field().value).toBe(TEMPLATE)
  })
})
