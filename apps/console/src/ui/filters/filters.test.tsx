import { fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { renderScreen } from '../../../test/render-screen.tsx'
import { choiceFilter, defineFilters, readFilters, textFilter, useFilters } from './define-filters.ts'
import { ActiveFilters, Filters } from './filters.tsx'

const schema = defineFilters({
  keyword: textFilter(),
  kind: choiceFilter(),
  user: choiceFilter((id) => /^\d+$/.test(id)),
})

function Bar() {
  const filters = useFilters(schema)
  const [text, setText] = useState('')
  const fields = {
    keyword: { label: 'Name or ID', chip: 'Keyword' },
    kind: { label: 'Kind', options: [{ label: 'Media', options: [{ value: 'image', label: 'Image' }] }] },
    user: {
      label: 'User',
      search: { text, onSearch: setText, hint: 'Type a name' },
      options: text === '' ? [] : [{ value: '7', label: `${text}a #7` }],
    },
  }
  return (
    <>
      <Filters filters={filters} fields={fields} />
      <ActiveFilters filters={filters} fields={fields} />
    </>
  )
}

describe('filters', () => {
  it('have chips with their own names and the labels of grouped options', () => {
    renderScreen(Bar, { at: '/list?keyword=x&kind=image' })

    for (const text of ['Keyword: x', 'Kind: Image']) expect(screen.getByText(text)).toBeTruthy()
  })

  it('offer the options that a search on the server returns', async () => {
    const { address } = renderScreen(Bar, { at: '/list' })
    const field = screen.getByRole('combobox', { name: 'User' })
    fireEvent.mouseDown(field)
    expect(await screen.findByText('Type a name')).toBeTruthy()

    fireEvent.change(field, { target: { value: 'mir' } })
    fireEvent.click(await screen.findByTitle('mira #7'))

    await waitFor(() => expect(address()).toBe('/list?user=7'))
  })

  it('ignore a value in the URL that fails the test of a choice', () => {
    expect(readFilters(schema, new URLSearchParams('user=mira')).user).toBe('')
    expect(readFilters(schema, new URLSearchParams('user=7')).user).toBe('7')
  })
})
